// The picture, and what there is to read beside it.
const el = id => document.getElementById(id);
const canvas = el('canvas'), pen = canvas.getContext('2d');
const words = {discard: 'discarded', accept: 'accepted', descend: 'looked into', meet: 'the points meet', open: 'still to decide'};
const state = {leaf: 0, steps: [], done: 0, timer: null, yaw: -0.5, pitch: 0.45};

const short = x => x === null ? '∞' : x === 0 ? '0' : String(Number(x.toPrecision(4)));
const plural = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
const squared = x => x === null ? '∞, no bound' : x < 0 ? 'nothing' : `${short(x)}, distance ${short(Math.sqrt(x))}`;
const reasonOf = step => data.reasons[pairs.reason[step.pair]];
const current = () => state.done > 0 ? state.steps[state.done - 1] : null;

// --- The picture ---------------------------------------------------------------------------------------------------

const extent = (() => {
  const lo = [0, 0, 0], hi = [0, 0, 0];
  for (let j = 0; j < data.dim; ++j) {
    lo[j] = Infinity, hi[j] = -Infinity;
    for (const side of [targets, sources])
      for (let i = j; i < side.x.length; i += data.dim) {
        lo[j] = Math.min(lo[j], side.x[i]);
        hi[j] = Math.max(hi[j], side.x[i]);
      }
  }
  const middle = lo.map((l, j) => (l + hi[j]) / 2), sizes = lo.map((l, j) => hi[j] - l);
  if (data.dim === 3 && sizes[2] === 0) state.yaw = 0, state.pitch = Math.PI / 2;  // flat: seen from above
  return {middle, size: (sizes[2] > 0 ? Math.hypot(...sizes) : Math.max(...sizes)) || 1};
})();

let width = 0, height = 0, scale = 1;
/** A place in space, in pixels. */
function place(x) {
  let a = x[0] - extent.middle[0], b = x[1] - extent.middle[1];
  if (data.dim === 3) {
    const c = x[2] - extent.middle[2], cy = Math.cos(state.yaw), sy = Math.sin(state.yaw);
    [a, b] = [a * cy + b * sy, (b * cy - a * sy) * Math.sin(state.pitch) + c * Math.cos(state.pitch)];
  }
  return [width / 2 + a * scale, height / 2 - b * scale];
}
const pointOf = (side, i) => side.x.slice(i * data.dim, (i + 1) * data.dim);
function boxOf(side, plane, node) {
  const p = side.planes[plane], at = node * data.dim;
  return {lo: p.lo.slice(at, at + data.dim), hi: p.hi.slice(at, at + data.dim)};
}

/** Traces a box; thin ones are given a little width so that they can be seen. */
function traceBox({lo, hi}, grow = 2) {
  pen.beginPath();
  if (data.dim === 2) {
    const [x0, y1] = place(lo), [x1, y0] = place(hi);
    pen.rect(x0 - grow, y0 - grow, x1 - x0 + 2 * grow, y1 - y0 + 2 * grow);
    return;
  }
  const corner = c => place(lo.map((l, j) => c >> j & 1 ? hi[j] : l));
  for (let c = 0; c < 8; ++c)
    for (let j = 0; j < 3; ++j)
      if (!(c >> j & 1)) pen.moveTo(...corner(c)), pen.lineTo(...corner(c | 1 << j));
}
function drawBox(box, colour, {fill = null, line = 1, dash = [], alpha = 1} = {}) {
  traceBox(box);
  pen.globalAlpha = alpha;
  if (fill && data.dim === 2) pen.fillStyle = fill, pen.fill();
  pen.strokeStyle = colour, pen.lineWidth = line;
  pen.setLineDash(dash), pen.stroke(), pen.setLineDash([]);
  pen.globalAlpha = 1;
}
function drawLine(points, colour, line, dash = []) {
  pen.beginPath();
  for (const p of points) pen.lineTo(...p);
  pen.strokeStyle = colour, pen.lineWidth = line;
  pen.setLineDash(dash), pen.stroke(), pen.setLineDash([]);
}
/** What is no further than r from a box, in the plane. */
function drawAround(box, r, colour, dash) {
  if (data.dim !== 2 || !(r >= 0) || r > 3 * extent.size) return;
  const [x0, y1] = place(box.lo), [x1, y0] = place(box.hi), d = r * scale;
  pen.beginPath();
  pen.roundRect(x0 - d, y0 - d, x1 - x0 + 2 * d, y1 - y0 + 2 * d, d);
  pen.strokeStyle = colour, pen.lineWidth = 1.2;
  pen.setLineDash(dash), pen.stroke(), pen.setLineDash([]);
}
/** The shortest way between two boxes, unless it leads around a periodic box. */
function drawGap(a, b, lo2, colour) {
  const p = [], q = [];
  for (let j = 0; j < data.dim; ++j) {
    const low = Math.max(a.lo[j], b.lo[j]), high = Math.min(a.hi[j], b.hi[j]);
    if (low <= high) p[j] = q[j] = (low + high) / 2;
    else [p[j], q[j]] = a.hi[j] < b.lo[j] ? [a.hi[j], b.lo[j]] : [a.lo[j], b.hi[j]];
  }
  const d2 = p.reduce((sum, x, j) => sum + (x - q[j]) ** 2, 0);
  if (lo2 > 0 && Math.abs(d2 - lo2) < 1e-3 * lo2) drawLine([place(p), place(q)], colour, 2);
}

/** Boxes that steps have dealt with, or are to deal with on the plane at hand. */
function drawList(colour, depth) {
  state.steps.forEach((step, i) => {
    const fate = i < state.done ? fateOf(step) : 'open';
    if (fate === 'open' ? step.depth !== depth : fate === 'descend' && step.depth !== depth) return;
    const box = boxOf(sources, step.otherPlane, step.other);
    if (fate === 'open') drawBox(box, colour.open, {dash: [3, 3]});
    else drawBox(box, colour[fate], {fill: colour[fate + '-fill'], alpha: fate === 'discard' ? .8 : 1});
  });
}
/** Radius of a source's dot. */
const dotSize = () => Math.max(1.4, Math.min(3, 60 / Math.sqrt(sources.input.length)));
/** Where targets are a set of their own: those outside of the leaf, as rings, since sources are dots. */
function drawOthers(colour) {
  if (!data.sources) return;
  const first = targets.planes[0].first, r = dotSize() + 1;
  pen.strokeStyle = colour.others, pen.lineWidth = 1.3;
  for (let i = 0; i < targets.input.length; ++i) {
    if (i >= first[state.leaf] && i < first[state.leaf + 1]) continue;
    pen.beginPath(), pen.arc(...place(pointOf(targets, i)), r, 0, 7), pen.stroke();
  }
}
function drawPoints(colour) {
  const fates = fatesAfter(state.steps, state.done), n = sources.input.length;
  const r = dotSize();
  const mine = targets.planes[0].first;
  const dot = (x, c, size) => {
    pen.beginPath(), pen.arc(...place(x), size, 0, 7), pen.fillStyle = c, pen.fill();
  };
  for (let i = 0; i < n; ++i) dot(pointOf(sources, i), fates[i] === 'open' ? colour.text : colour[fates[i]], r);
  drawOthers(colour);
  for (let i = mine[state.leaf]; i < mine[state.leaf + 1]; ++i) dot(pointOf(targets, i), colour.target, r + 1);
}
/** Who meets whom, if points do. */
function drawMeeting(step, colour) {
  const own = targets.planes[0].first, other = sources.planes[0].first;
  pen.globalAlpha = .45;
  for (let i = own[state.leaf]; i < own[state.leaf + 1]; ++i)
    for (let j = other[step.other]; j < other[step.other + 1]; ++j)
      drawLine([place(pointOf(targets, i)), place(pointOf(sources, j))], colour.meet, .8);
  pen.globalAlpha = 1;
}
function drawCurve(colour) {
  pen.globalAlpha = .8;
  drawLine(sources.input.map((_, i) => place(pointOf(sources, i))), colour.curve, 1);
  pen.globalAlpha = 1;
}
function drawTarget(step, colour) {
  const plane = step ? step.plane : targetPlane(depths[0]);
  const own = boxOf(targets, plane, nodeAt(targets, plane, targets.planes[0].first[state.leaf]));
  drawBox(own, colour.target, {line: 2.5});
  if (!step) return;
  const other = boxOf(sources, step.otherPlane, step.other), fate = fateOf(step), reach = pairs.reach[step.pair];
  drawBox(other, colour[fate], {line: 2.5, fill: colour[fate + '-fill']});
  drawGap(own, other, pairs.lo2[step.pair], colour[fate]);
  if (reach !== null && !step.swapped) drawAround(own, Math.sqrt(reach), colour.target, [6, 4]);
  if (data.radius > 0) drawAround(own, data.radius, colour.target, [2, 3]);
  if (fate === 'meet') drawMeeting(step, colour);
}
/** In the end: how far each point of the target looked. */
function drawHorizons(colour) {
  if (state.done < state.steps.length || data.horizons.length === 0) return;
  const first = targets.planes[0].first;
  for (let i = first[state.leaf]; i < first[state.leaf + 1]; ++i) {
    const x = pointOf(targets, i), h = data.horizons[i];
    if (h !== null && h >= 0) drawAround({lo: x, hi: x}, Math.sqrt(h), colour.target, []);
  }
}
function draw() {
  const dots = window.devicePixelRatio || 1;
  [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = width * dots, canvas.height = height * dots;
  pen.setTransform(dots, 0, 0, dots, 0, 0);
  scale = Math.min(width, height) * .92 / extent.size;
  const style = getComputedStyle(document.documentElement), colour = {};
  for (const name of ['text', 'line', 'target', 'others', 'open', 'descend', 'discard', 'accept', 'meet', 'curve', 'discard-fill',
    'accept-fill', 'descend-fill', 'meet-fill']) colour[name] = style.getPropertyValue('--' + name).trim();
  const step = current(), depth = step ? step.depth : depths[0];
  if (el('nodes').checked) {
    const plane = step ? step.otherPlane : sources.planes.length - 1;
    for (let i = 0; i + 1 < sources.planes[plane].first.length; ++i) drawBox(boxOf(sources, plane, i), colour.line);
  }
  drawList(colour, depth);
  if (el('curve').checked) drawCurve(colour);
  drawPoints(colour);
  drawTarget(step, colour);
  drawHorizons(colour);
}

// --- What there is to read -----------------------------------------------------------------------------------------

function setBar(bar, parts, all) {
  bar.replaceChildren(...parts.filter(([, n]) => n > 0).map(([fate, n]) => {
    const part = document.createElement('div');
    part.className = fate, part.style.width = 100 * n / all + '%', part.title = `${words[fate]}: ${n.toLocaleString('en')}`;
    return part;
  }));
}
const percent = (n, all) => all === 0 ? '' : ` (${short(100 * n / all)} %)`;

/** How far, squared, the points of a leaf still look when they have met all: the largest. Null is infinite. */
function horizonOf(leaf) {
  const first = targets.planes[0].first, own = data.horizons.slice(first[leaf], first[leaf + 1]);
  return own.includes(null) ? null : Math.max(...own);
}
const nodeText = (node, points) => `node ${node}, ${plural(points, 'point')}`;
const sourceText = step => nodeText(step.other, countOf(sources, step.otherPlane, step.other));
/** What became of a source, and why. */
const fateText = step => words[fateOf(step)] + (reasonOf(step) && `: ${reasonOf(step)}`);
const sentenceOf = step => `${sourceText(step)}, ${fateText(step)}`;
/** What the trait says of target and source: '' where it says nothing. */
function textsOf(step) {
  if (data.texts.length === 0) return ['', ''];
  const [own, other] = [pairs.tt, pairs.st].map(column => data.texts[column[step.pair]]);
  return step.swapped ? [other, own] : [own, other];
}
function showStep() {
  const step = current();
  el('step-head').textContent = `Step ${state.done} of ${state.steps.length}`;
  if (!step) {
    const n = targets.planes[0].first;
    el('step').innerHTML = `<p class="what">The target is leaf ${state.leaf}, ` +
      `${plural(n[state.leaf + 1] - n[state.leaf], 'point')}.</p><p>The walk begins with the coarsest nodes: which sources ` +
      'can matter to any point of the target\'s? On each plane the target has a list of candidates.' +
      (data.symmetric ? ' Each pair is met once, by the node that comes first in z-order.' : '') + '</p>';
    return;
  }
  const k = step.pair, [ownText, otherText] = textsOf(step);
  const rows = [['target', nodeText(step.node, countOf(targets, step.plane, step.node)), ownText],
    ['source', sourceText(step), otherText], ['least d²', squared(pairs.lo2[k])], ['largest d²', squared(pairs.hi2[k])]];
  if (pairs.reach[k] !== null) rows.push(['reach²', squared(pairs.reach[k])]);
  if (fateOf(step) === 'meet' && data.horizons.length > 0) rows.push(['horizon²', squared(horizonOf(state.leaf))]);
  rows.push(['pairs', plural(pointsOf(k), 'pair') + ' of points']);
  const chip = document.createElement('span'), what = document.createElement('p'), list = document.createElement('dl');
  chip.className = 'chip ' + fateOf(step);
  what.className = 'what';
  what.append(chip, `Plane ${step.depth}, ${fateText(step)}`);
  for (const [name, value, text] of rows) {
    const dt = document.createElement('dt'), dd = document.createElement('dd');
    dt.textContent = name, dd.textContent = value;
    list.append(dt, dd);
    if (!text) continue;
    const own = document.createElement('div');
    own.className = 'text', own.textContent = text;
    dd.append(own);
  }
  el('step').replaceChildren(what, list);
}
function showList() {
  const step = current(), depth = step ? step.depth : depths[0];
  el('list-head').textContent = `The target's list on plane ${depth}`;
  el('list').replaceChildren(...state.steps.map((s, i) => [s, i]).filter(([s]) => s.depth === depth).map(([s, i]) => {
    const item = document.createElement('li'), button = document.createElement('button'), chip = document.createElement('span');
    const later = i >= state.done;
    chip.className = 'chip ' + (later ? 'open' : fateOf(s));
    button.append(chip, later ? sourceText(s) : sentenceOf(s));
    if (later) button.className = 'later';
    if (i === state.done - 1) button.setAttribute('aria-current', 'step');
    button.onclick = () => go(i + 1);
    item.append(button);
    return item;
  }));
  const list = el('list'), now = list.querySelector('[aria-current]');
  if (now) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
}
function showCounters() {
  const sum = {discard: 0, accept: 0, meet: 0, open: 0}, all = sources.input.length;
  for (const fate of fatesAfter(state.steps, state.done)) ++sum[fate];
  setBar(el('bar'), Object.entries(sum), all);
  el('bar-text').textContent = `Of ${plural(all, 'source')}: ${sum.discard} discarded, ${sum.accept} accepted, ` +
    `${sum.meet} to meet, ${sum.open} open.`;
  for (const row of el('table').tBodies[0].rows)
    row.classList.toggle('current', current() !== null && Number(row.dataset.plane) === current().depth);
}
function show() {
  showStep(), showList(), showCounters(), draw();
  el('scrub').max = state.steps.length, el('scrub').value = state.done;
  el('target').value = state.leaf;
  canvas.setAttribute('aria-label', el('step').textContent);
  history.replaceState(null, '', `#target=${state.leaf}&step=${state.done}`);
}
function showTable() {
  const cells = (row, tag) => '<tr>' + row.map(c => `<${tag}>${typeof c === 'number' ? c.toLocaleString('en') : c}</${tag}>`).join('') + '</tr>';
  const sum = {discard: 0, accept: 0, meet: data.met};
  el('table').innerHTML = '<thead><tr><th></th><th></th><th colspan="3">pairs of nodes</th><th colspan="3">pairs of points</th></tr>' +
    cells(['plane', 'targets', 'discard', 'accept', 'descend', 'discard', 'accept', 'descend'], 'th') + '</thead><tbody>' +
    data.table.map(r => cells([r.plane, r.targets, ...[DISCARD, ACCEPT, DESCEND].map(d => r.nodes[d]),
      ...[DISCARD, ACCEPT, DESCEND].map(d => r.points[d])], 'td').replace('<tr', `<tr data-plane="${r.plane}"`)).join('') + '</tbody>';
  for (const r of data.table) sum.discard += r.points[DISCARD], sum.accept += r.points[ACCEPT];
  setBar(el('all-bar'), Object.entries(sum), data.all);
  const loop = data.symmetric ? 'N (N - 1) / 2' : data.sources ? 'N M' : 'N²';
  el('all-text').textContent = `A double loop meets ${loop} = ${data.all.toLocaleString('en')} pairs of points. Here ` +
    `${data.met.toLocaleString('en')} met${percent(data.met, data.all)}; ${plural(pairCount, 'pair')} of nodes settled the others: ` +
    `${sum.discard.toLocaleString('en')} were discarded, ${sum.accept.toLocaleString('en')} accepted.`;
}
