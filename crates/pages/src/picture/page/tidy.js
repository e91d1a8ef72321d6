"use strict";
// Where nodes stand, as layout.rs does it for pictures alone (Reingold and Tilford). Parents stand before their children; a root has -1.
const tidy = (parents, sizes, across, down) => {
  const count = parents.length, below = parents.map(() => []), level = new Array(count).fill(0);
  parents.forEach((parent, node) => {
    if (parent < 0) return;
    below[parent].push(node);
    level[node] = level[parent] + 1;
  });
  const aside = [], next = [];
  const step = (o) => (next[o.entry] < 0 ? null : { x: o.x + aside[o.entry], entry: next[o.entry] });
  const above = (x, under) => {
    aside.push(under ? under.x - x : 0);
    next.push(under ? under.entry : -1);
    return { x, entry: aside.length - 1 };
  };
  const moved = (o, by) => ({ x: o.x + by, entry: o.entry });
  const joined = (nearer, farther) => {
    if (!farther) return nearer;
    const levels = [nearer.x];
    let [at, rest] = [nearer, farther];
    for (;;) {
      rest = step(rest);
      if (!rest) return nearer;
      const under = step(at);
      if (!under) break;
      levels.push(under.x);
      at = under;
    }
    return levels.reduceRight((under, x) => above(x, under), rest);
  };
  const apart = (left, right) => {
    let most = -Infinity;
    for (; left && right; left = step(left), right = step(right)) most = Math.max(most, left.x - right.x);
    return most;
  };
  const sides = new Array(count), beside = new Array(count).fill(0);
  for (let node = count - 1; node >= 0; node--) {
    const parts = below[node].map((child) => sides[child]), last = parts.length - 1;
    const fromLeft = parts.map(() => 0);
    let outline = last >= 0 ? parts[0].right : null;
    for (let i = 1; i <= last; i++) {
      fromLeft[i] = apart(outline, parts[i].left) + across;
      outline = joined(moved(parts[i].right, fromLeft[i]), outline);
    }
    const fromRight = [...fromLeft];
    outline = last >= 0 ? moved(parts[last].left, fromLeft[last]) : null;
    for (let i = last - 1; i >= 0; i--) {
      fromRight[i] = -(apart(parts[i].right, outline) + across);
      outline = joined(moved(parts[i].left, fromRight[i]), outline);
    }
    let [left, right] = [null, null];
    if (last >= 0) {
      const places = fromLeft.map((place, i) => (place + fromRight[i]) / 2);
      const middle = (places[0] + places[last]) / 2;
      places.forEach((place, i) => { beside[below[node][i]] = place - middle; });
      for (let i = last; i >= 0; i--) left = joined(moved(parts[i].left, places[i] - middle), left);
      for (let i = 0; i <= last; i++) right = joined(moved(parts[i].right, places[i] - middle), right);
    }
    const half = sizes[node].width / 2;
    sides[node] = { left: above(-half, left), right: above(half, right) };
  }
  const x = [], heights = [];
  let [least, greatest] = [Infinity, -Infinity];
  for (let node = 0; node < count; node++) {
    x[node] = parents[node] < 0 ? 0 : x[parents[node]] + beside[node];
    least = Math.min(least, x[node] - sizes[node].width / 2);
    greatest = Math.max(greatest, x[node] + sizes[node].width / 2);
    heights[level[node]] = Math.max(heights[level[node]] || 0, sizes[node].height);
  }
  let top = 0;
  const tops = heights.map((height) => { const here = top; top += height + down; return here; });
  return { x: x.map((at) => at - least), y: level.map((at) => tops[at]), width: greatest - least, height: top - down };
};
