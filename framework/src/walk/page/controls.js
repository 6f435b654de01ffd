// What a reader can do.
function go(done) {
  state.done = Math.max(0, Math.min(state.steps.length, done));
  if (state.done === state.steps.length) pause();
  show();
}
/** Makes a leaf the target, after so many steps: by default none, or all if the target before was at its end. */
function choose(leaf, done) {
  const ended = state.done > 0 && state.done === state.steps.length;
  state.leaf = Math.max(0, Math.min(leaves - 1, Math.floor(leaf) || 0));
  state.steps = stepsOf(state.leaf);
  go(done !== undefined ? done : ended ? state.steps.length : 0);
}
/** The last step of the plane behind (or before) the current one. */
function nextPlane(by) {
  const i = depths.indexOf(current() ? current().depth : depths[0]);
  const atEnd = by > 0 && (!current() || state.done < state.steps.filter(s => s.depth >= depths[i]).length);
  const depth = depths[atEnd ? i : i + by];
  go(depth === undefined ? (by < 0 ? 0 : state.steps.length) : state.steps.filter(s => s.depth >= depth).length);
}
function pause() {
  clearInterval(state.timer), state.timer = null;
  el('play').textContent = '▶ Play';
}
function play() {
  if (state.timer) return pause();
  if (state.done === state.steps.length) go(0);
  state.timer = setInterval(() => go(state.done + 1), Math.max(60, Math.min(500, 20000 / state.steps.length)));
  el('play').textContent = '❚❚ Pause';
}
const stop = action => () => (pause(), action());

/** The target point nearest to a place of the canvas. */
function under(x, y) {
  let best = 0, least = Infinity;
  for (let i = 0; i < targets.input.length; ++i) {
    const [px, py] = place(pointOf(targets, i)), d2 = (px - x) ** 2 + (py - y) ** 2;
    if (d2 < least) least = d2, best = i;
  }
  return best;
}
/** What is there, in words: a box of the current list, or a point. */
function hovered(x, y) {
  const depth = current() ? current().depth : depths[0];
  if (data.dim === 2)
    for (const [i, s] of state.steps.entries()) {
      if (s.depth !== depth || i >= state.done) continue;
      const {lo, hi} = boxOf(sources, s.otherPlane, s.other), [x0, y1] = place(lo), [x1, y0] = place(hi);
      if (x >= x0 - 2 && x <= x1 + 2 && y >= y0 - 2 && y <= y1 + 2)
        return `${sentenceOf(s)}; d² from ${short(pairs.lo2[s.pair])} to ${short(pairs.hi2[s.pair])}`;
    }
  const i = under(x, y);
  return `${data.sources ? 'target, ' : ''}row ${targets.input[i]}, at ${i} in z-order, leaf ${nodeAt(targets, 0, i)}: ${pointOf(targets, i).map(short).join(', ')}`;
}
const at = event => [event.offsetX, event.offsetY];
let drag = null;
canvas.onpointerdown = event => { drag = {x: event.clientX, y: event.clientY, moved: false}; };
canvas.onpointermove = event => {
  if (!drag || data.dim === 2) el('hover').textContent = hovered(...at(event));
  if (!drag) return;
  const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
  drag.moved ||= Math.hypot(dx, dy) > 4;
  if (!drag.moved || data.dim === 2) return;
  canvas.setPointerCapture(event.pointerId);
  state.yaw += dx / 150;
  state.pitch = Math.max(-1.57, Math.min(1.57, state.pitch + dy / 150));
  drag.x = event.clientX, drag.y = event.clientY;
  draw();
};
canvas.onpointerup = event => {
  if (drag && !drag.moved) stop(() => choose(nodeAt(targets, 0, under(...at(event)))))();
  drag = null;
};
canvas.onpointercancel = () => { drag = null; };
canvas.onpointerleave = () => { el('hover').textContent = '\u00a0'; };

const actions = {
  ArrowLeft: stop(() => go(state.done - 1)), ArrowRight: stop(() => go(state.done + 1)),
  ArrowUp: stop(() => nextPlane(-1)), ArrowDown: stop(() => nextPlane(1)),
  Home: stop(() => go(0)), End: stop(() => go(state.steps.length)), ' ': play,
  n: stop(() => choose(state.leaf + 1)), p: stop(() => choose(state.leaf - 1)),
  z: () => { el('curve').checked = !el('curve').checked, draw(); },
};
document.addEventListener('keydown', event => {
  const tag = event.target.tagName;
  if (event.ctrlKey || event.metaKey || event.altKey || tag === 'INPUT' && event.target.type !== 'checkbox') return;
  if (event.key === ' ' && (tag === 'BUTTON' || tag === 'INPUT')) return;
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (action) event.preventDefault(), action();
});
el('first').onclick = actions.Home;
el('back').onclick = actions.ArrowLeft;
el('play').onclick = play;
el('forward').onclick = actions.ArrowRight;
el('plane').onclick = actions.ArrowDown;
el('last').onclick = actions.End;
el('scrub').oninput = stop(() => go(Number(el('scrub').value)));
el('target').onchange = stop(() => choose(Number(el('target').value)));
el('curve').onchange = el('nodes').onchange = draw;
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
new ResizeObserver(draw).observe(canvas);

document.title = data.title;
el('title').textContent = data.title;
el('about').textContent = data.about;
el('target').max = leaves - 1;
el('turn').hidden = data.dim === 2;
el('others').hidden = !data.sources;
if (data.sources) el('pick').textContent = 'Click a target (targets are rings, sources are dots) to choose its leaf.';
canvas.classList.toggle('turns', data.dim === 3);
showTable();
const asked = new URLSearchParams(location.hash.slice(1));
choose(Number(asked.get('target') ?? Math.floor(leaves / 2)), asked.has('step') ? Number(asked.get('step')) : undefined);
const [right, sentence] = selfCheck();
el('check').textContent = sentence;
document.documentElement.dataset.check = right ? 'ok' : 'wrong';
el('check').parentElement.classList.toggle('wrong', !right);
