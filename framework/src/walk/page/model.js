'use strict';
// What the walk did, by target leaf. Pairs of points are held against all there are: see selfCheck().
const data = JSON.parse(document.getElementById('data').textContent);
const DISCARD = 0, DESCEND = 1, ACCEPT = 2;
const targets = data.targets, sources = data.sources || data.targets, pairs = data.pairs;
const pairCount = pairs.t.length;
const leaves = targets.planes[0].first.length - 1;

const countOf = (side, plane, node) => side.planes[plane].first[node + 1] - side.planes[plane].first[node];
const depthOf = k => Math.max(pairs.tp[k], pairs.sp[k]);

/** The node of a plane that holds a point. */
function nodeAt(side, plane, point) {
  const first = side.planes[plane].first;
  let low = 0, high = first.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (first[middle] <= point) low = middle; else high = middle - 1;
  }
  return low;
}

/** Pairs by the node that is asked about, "depth:node" -> [pair, ...]. In a symmetric walk that is either of both. */
const pairsOf = new Map();
for (let k = 0; k < pairCount; ++k) {
  const add = node => {
    const key = depthOf(k) + ':' + node;
    if (!pairsOf.has(key)) pairsOf.set(key, []);
    pairsOf.get(key).push(k);
  };
  add(pairs.t[k]);
  if (data.symmetric && pairs.s[k] !== pairs.t[k]) add(pairs.s[k]);
}
const depths = [...new Set(pairs.t.map((_, k) => depthOf(k)))].sort((a, b) => b - a);

/** Plane of the targets when the deeper of two trees is at this depth. */
const targetPlane = depth => Math.min(depth, targets.planes.length - 1, Math.max(0, depth - Math.max(targets.planes.length,
  sources.planes.length) + targets.planes.length));

/** Everything decided about a target leaf and the nodes above it, in the order of the walk. */
function stepsOf(leaf) {
  const point = targets.planes[0].first[leaf], steps = [];
  for (const depth of depths) {
    const plane = targetPlane(depth), node = nodeAt(targets, plane, point);
    for (const k of pairsOf.get(depth + ':' + node) || []) {
      const swapped = data.symmetric && pairs.t[k] !== node;
      steps.push({pair: k, depth, plane, node, swapped, other: swapped ? pairs.t[k] : pairs.s[k], otherPlane: pairs.sp[k]});
    }
  }
  return steps;
}

/** discard, accept, descend (and looked at again) or meet (as points). */
function fateOf(step) {
  const d = pairs.decision[step.pair];
  return d === DISCARD ? 'discard' : d === ACCEPT ? 'accept' : step.depth === 0 ? 'meet' : 'descend';
}

/** What each source is to the target after the first n steps: an array of fates, 'open' where nothing is known. */
function fatesAfter(steps, n, count = sources.input.length) {
  const fate = new Array(count).fill('open');
  for (const step of steps.slice(0, n)) {
    const what = fateOf(step);
    if (what === 'descend') continue;
    const first = sources.planes[step.otherPlane].first;
    for (let i = first[step.other]; i < first[step.other + 1]; ++i) fate[i] = what;
  }
  return fate;
}

/** Pairs of points in a pair of nodes. */
function pointsOf(k) {
  const n = countOf(targets, pairs.tp[k], pairs.t[k]);
  if (data.symmetric && pairs.t[k] === pairs.s[k]) return n * (n - 1) / 2;
  return n * countOf(sources, pairs.sp[k], pairs.s[k]);
}

/** Sums of what is drawn against what there is. Returns [ok, sentence]. */
function selfCheck() {
  const sum = {discard: 0, accept: 0, meet: 0};
  for (let k = 0; k < pairCount; ++k) {
    const fate = fateOf({pair: k, depth: depthOf(k)});
    if (fate !== 'descend') sum[fate] += pointsOf(k);
  }
  const total = sum.discard + sum.accept + sum.meet;
  let ok = total === data.all && sum.meet === data.met;
  for (const row of data.table)
    for (const d of [DISCARD, DESCEND, ACCEPT]) {
      let nodes = 0;
      for (let k = 0; k < pairCount; ++k) nodes += depthOf(k) === row.plane && pairs.decision[k] === d;
      ok = ok && nodes === row.nodes[d];
    }
  let settled = 0;  // sources that one decision, and no more, settles for a leaf
  for (let leaf = 0; leaf < leaves; ++leaf) {
    const times = new Uint16Array(sources.input.length);
    for (const step of stepsOf(leaf)) {
      if (fateOf(step) === 'descend') continue;
      const first = sources.planes[step.otherPlane].first;
      for (let i = first[step.other]; i < first[step.other + 1]; ++i) ++times[i];
    }
    settled += times.reduce((n, t) => n + (t === 1), 0);
  }
  ok = ok && settled === leaves * sources.input.length;
  return [ok, `Check: ${total} of ${data.all} pairs of points are accounted for, ${sum.meet} of them met; ` +
    `${settled} of ${leaves * sources.input.length} sources of ${leaves} leaves are settled by one decision: ` +
    (ok ? 'ok' : 'WRONG')];
}
