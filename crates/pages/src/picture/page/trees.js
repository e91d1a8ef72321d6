// Trees that open and close, are searched, and show the way of a row. Only what is open is drawn.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const OPEN_AT_FIRST = 31, OPEN_AT_MOST = 2000, BESIDE = 3;
  const PADDING = 9, WIDEST = 210, NARROWEST = 104, TARGETS = 4;

  // ---- Text: every word of the data goes through `escaped` into markup.
  const escaped = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const short = (number) => (number === null ? "–" : String(Number(number.toPrecision(4))));
  const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
  const FONT = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';
  const ruler = document.createElement("canvas").getContext("2d");
  const widths = new Map();
  const width = (text, size, weight = 400) => {
    const key = `${weight} ${size} ${text}`;
    if (!widths.has(key)) {
      ruler.font = `${weight} ${size}px ${FONT}`;
      widths.set(key, ruler.measureText(text).width + 1);
    }
    return widths.get(key);
  };
  // The beginning of a text and a share of its end, as far as there is room: a threshold stands at the end.
  const cut = (text, size, weight, most, end = 0) => {
    if (width(text, size, weight) <= most) return text;
    const letters = [...text];
    const kept = (count) => {
      const tail = Math.floor(count * end);
      return letters.slice(0, count - tail).join("") + "…" + letters.slice(letters.length - tail).join("");
    };
    let [least, greatest] = [0, letters.length];
    while (least < greatest) {
      const middle = (least + greatest + 1) >> 1;
      if (width(kept(middle), size, weight) <= most) least = middle;
      else greatest = middle - 1;
    }
    return kept(least);
  };

  // A text in at most so many lines, broken between words; the last is cut to its room.
  const wrap = (text, size, weight, most, lines) => {
    const words = text.split(" "), wrapped = [];
    while (words.length) {
      if (wrapped.length + 1 === lines) return [...wrapped, cut(words.join(" "), size, weight, most)];
      let line = words.shift();
      while (words.length && width(`${line} ${words[0]}`, size, weight) <= most) line += ` ${words.shift()}`;
      wrapped.push(cut(line, size, weight, most));
    }
    return wrapped;
  };

  const heading = (below, text) => `<h${data.level + below}>${text}</h${data.level + below}>`;

  // ---- The trees, in a form that can be walked.
  const trees = data.trees.map((tree, number) => {
    const nodes = tree.nodes.map(([parent, branch, weight, answers, said, test, joins]) => ({
      parent, branch, weight, answers, said, joins: joins || [null, null], children: [], depth: 0, size: 1,
      test: test && {
        words: test[0], column: test[1], distance: test[2],
        branches: test[3].map(([words, share, piece]) => ({ words, share, piece })),
      },
    }));
    nodes.forEach((node, place) => {
      if (node.parent < 0) return;
      nodes[node.parent].children.push(place);
      node.depth = nodes[node.parent].depth + 1;
    });
    for (let place = nodes.length - 1; place > 0; place--) nodes[nodes[place].parent].size += nodes[place].size;
    return { ...tree, number, nodes, open: new Set(), chosen: 0, found: new Set(), holds: new Set(), lit: null, panel: null };
  });
  const branchOf = (tree, node) => (node.parent < 0 ? null : tree.nodes[node.parent].test.branches[node.branch]);
  const several = data.targets.length > 1;
  const told = (node) => node.said.map(([what, ground], target) =>
    several ? `${data.targets[target].name}: ${what} ${ground}` : `${what} ${ground}`);
  const titleOf = (node) => (node.test ? node.test.words : several ? `leaf, ${short(node.weight)}` : node.said[0][0]);

  // ---- Opening and closing.
  const visible = (tree) => {
    const shown = [];
    for (let place = 0; place < tree.nodes.length;) {
      shown.push(place);
      const node = tree.nodes[place];
      place += node.test && !tree.open.has(place) ? node.size : 1;
    }
    return shown;
  };
  // Opens level by level as long as no more than so many nodes are seen.
  const openTo = (tree, depth, most) => {
    tree.open.clear();
    let [level, shown] = [[0], 1];
    for (let at = 0; at < depth && level.length; at++) {
      const next = [];
      for (const place of level) {
        const node = tree.nodes[place];
        if (!node.test) continue;
        if (shown + node.children.length > most) return;
        tree.open.add(place);
        shown += node.children.length;
        next.push(...node.children);
      }
      level = next;
    }
  };
  const reveal = (tree, place) => {
    for (let up = tree.nodes[place].parent; up >= 0; up = tree.nodes[up].parent) tree.open.add(up);
  };

  // ---- Cards.
  const bar = (target, answer, wide) => {
    const rect = (look, x, w, y = 0, h = 8) => `<rect ${look} x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(0, w).toFixed(1)}" height="${h.toFixed(1)}"/>`;
    if (target.kind === "number") {
      const [least, greatest] = target.scale, [mean, deviation] = answer;
      const at = (number) => wide * Math.min(1, Math.max(0, (number - least) / (greatest - least)));
      const from = at(mean - deviation);
      return { height: 8, body: rect('class="track"', 0, wide, 2, 4) + rect('class="spread"', from, at(mean + deviation) - from)
        + rect('class="mean"', Math.min(wide - 2, Math.max(0, at(mean) - 1)), 2) };
    }
    if (target.kind === "classes") {
      let [body, x, total] = [rect('class="track"', 0, wide), 0, 0];
      for (let i = 1; i < answer.length; i += 2) total += answer[i];
      for (let i = 0; i < answer.length; i += 2) {
        const w = (wide * answer[i + 1]) / total;
        body += rect(`fill="${target.colours[answer[i]]}"`, x, w);
        x += w;
      }
      return { height: 8, body };
    }
    if (target.kind === "line") {
      const [left, right, bottom, top] = target.scale, high = 30;
      const within = (number, least, greatest) => least < greatest ? Math.min(1, Math.max(0, (number - least) / (greatest - least))) : 0.5;
      const places = [];
      for (let i = 0; i < answer.length; i += 2) {
        places.push(`${(wide * within(answer[i], left, right)).toFixed(1)},${(high * (1 - within(answer[i + 1], bottom, top))).toFixed(1)}`);
      }
      return { height: high, body: rect('class="track"', 0, wide, high - 1, 1) + `<polyline fill="none" stroke="${target.stroke}" stroke-width="1.5" points="${places.join(" ")}"/>` };
    }
    const shares = new Map();
    for (let i = 0; i < answer.length; i += 2) shares.set(answer[i], answer[i + 1]);
    const step = Math.min(12, wide / Math.max(1, target.shown.length));
    const body = target.shown.map((label, i) => {
      const high = 16 * Math.min(1, shares.get(label) || 0);
      return rect('class="track"', i * step, step - 1, 0, 16) + rect(`fill="${target.colours[label]}"`, i * step, step - 1, 16 - high, high);
    });
    return { height: 16, body: body.join("") };
  };
  const line = (look, size, x, y, text) => `<text class="${look}" font-size="${size}" x="${x}" y="${y.toFixed(1)}">${escaped(text)}</text>`;
  const card = (node) => {
    if (node.card) return node.card;
    // Tests along keys and formulas are sentences.
    const titles = data.joins.length || !node.test ? wrap(titleOf(node), 12.5, 600, WIDEST, 4) : [cut(titleOf(node), 12.5, 600, WIDEST, 0.4)];
    const captions = (node.test || several ? told(node) : [node.said[0][1]]).slice(0, TARGETS).map((text) => cut(text, 10.5, 400, WIDEST));
    const path = node.joins[0] && cut(node.joins[0], 10.5, 400, WIDEST, 0.4);
    const inner = Math.max(NARROWEST, ...titles.map((title) => width(title, 12.5, 600)), ...captions.map((text) => width(text, 10.5)), path ? width(path, 10.5) : 0);
    let y = PADDING, body = "";
    titles.forEach((title, i) => {
      y += i ? 15.5 : 12.5;
      body += line("title", 12.5, PADDING, y, title);
    });
    y += 7;
    captions.forEach((caption, target) => {
      const drawn = bar(data.targets[target], node.answers[target], inner);
      body += `<g transform="translate(${PADDING},${y.toFixed(1)})">${drawn.body}</g>`;
      y += drawn.height + 12.5;
      body += line("soft", 10.5, PADDING, y, caption);
      y += 6;
    });
    if (node.said.length > TARGETS) {
      y += 8.5;
      body += line("soft", 10.5, PADDING, y, `+${node.said.length - TARGETS} more targets`);
      y += 6;
    }
    if (path) {
      y += 8.5;
      body += line("soft", 10.5, PADDING, y, path);
      y += 6;
    }
    node.card = { width: inner + 2 * PADDING, height: y + 2, body };
    return node.card;
  };
  // What stands on the way to a node: the prototype, else the words of its branch.
  const label = (tree, node) => {
    const branch = branchOf(tree, node);
    if (!branch) return { width: 0, height: 0, lead: 0, body: "" };
    if (branch.piece !== null) {
      const [w, h, body] = data.pieces[branch.piece][0];
      return { width: w, height: h, lead: h + 5, body };
    }
    const words = cut(branch.words, 11, 400, 150);
    return { width: width(words, 11), height: 15, lead: 20, body: line("soft", 11, 0, 11, words) };
  };

  // ---- Drawing a tree.
  let zoom = null;
  const draw = (tree) => {
    const { panel } = tree;
    if (!panel) return;
    const shown = visible(tree), places = new Map(shown.map((place, i) => [place, i]));
    const cards = shown.map((place) => card(tree.nodes[place])), labels = shown.map((place) => label(tree, tree.nodes[place]));
    const sizes = shown.map((_, i) => ({ width: Math.max(cards[i].width, labels[i].width), height: cards[i].height + labels[i].lead + 13 }));
    const parents = shown.map((place) => (tree.nodes[place].parent < 0 ? -1 : places.get(tree.nodes[place].parent)));
    const at = tidy(parents, sizes, 16, 34);
    if (!places.has(tree.chosen)) tree.chosen = 0;
    const ways = [], drawn = [];
    shown.forEach((place, i) => {
      const node = tree.nodes[place], lit = tree.lit && tree.lit.has(place), x = at.x[i], y = at.y[i] + labels[i].lead;
      if (node.parent >= 0) {
        const p = parents[i], from = at.y[p] + labels[p].lead + cards[p].height, to = at.y[i], middle = (from + to) / 2;
        ways.push(`<path class="way${lit ? " lit" : ""}" stroke-width="${(1 + 5 * branchOf(tree, node).share).toFixed(1)}" d="M${at.x[p].toFixed(1)} ${from.toFixed(1)}C${at.x[p].toFixed(1)} ${middle.toFixed(1)} ${x.toFixed(1)} ${middle.toFixed(1)} ${x.toFixed(1)} ${to.toFixed(1)}V${y.toFixed(1)}"/>`);
      }
      const open = tree.open.has(place), siblings = node.parent < 0 ? [place] : tree.nodes[node.parent].children;
      const branch = branchOf(tree, node);
      const spoken = [branch && branch.words, node.test ? node.test.words : "leaf", ...told(node), lit && `the row passes here, ${percent(tree.lit.get(place))} of it`]
        .filter(Boolean).join("; ");
      const looks = ["node", node.test ? "inner" : "", place === tree.chosen ? "chosen" : "", tree.found.has(place) ? "found" : "",
        !open && tree.holds.has(place) ? "holds" : "", lit ? "lit" : ""].filter(Boolean).join(" ");
      const { width: w, height: h, body } = cards[i];
      let toggle = "";
      if (node.test) {
        const text = open ? "−" : `+${node.size - 1}`, wide = Math.max(20, width(text, 10.5) + 12);
        toggle = `<rect class="toggle" x="${(-wide / 2).toFixed(1)}" y="${(h - 2.5).toFixed(1)}" width="${wide.toFixed(1)}" height="15" rx="7.5"/><text class="soft" font-size="10.5" text-anchor="middle" y="${(h + 8.7).toFixed(1)}" pointer-events="none">${text}</text>`;
      }
      const above = labels[i].lead
        ? `<rect class="behind" x="${(-labels[i].width / 2 - 2).toFixed(1)}" y="${(-labels[i].lead).toFixed(1)}" width="${(labels[i].width + 4).toFixed(1)}" height="${labels[i].height}"/><g transform="translate(${(-labels[i].width / 2).toFixed(1)},${(-labels[i].lead).toFixed(1)})">${labels[i].body}</g>`
        : "";
      drawn.push(`<g class="${looks}" role="treeitem" data-node="${place}" tabindex="${place === tree.chosen ? 0 : -1}" aria-level="${node.depth + 1}" aria-setsize="${siblings.length}" aria-posinset="${siblings.indexOf(place) + 1}"${node.test ? ` aria-expanded="${open}"` : ""} aria-selected="${place === tree.chosen}" aria-label="${escaped(spoken)}" transform="translate(${x.toFixed(1)},${y.toFixed(1)})">${above}<g transform="translate(${(-w / 2).toFixed(1)},0)"><rect class="card${node.test ? "" : " leaf"}" width="${w.toFixed(1)}" height="${h.toFixed(1)}" rx="7"/>${body}</g>${toggle}</g>`);
    });
    const svg = panel.querySelector("svg"), margin = 4;
    const [wide, high] = [at.width + 2 * margin, at.height + 2 * margin];
    svg.setAttribute("viewBox", `${-margin} ${-margin} ${wide.toFixed(0)} ${high.toFixed(0)}`);
    tree.drawn = { wide, high, shown: shown.length };
    svg.classList.toggle("picked", Boolean(tree.lit));
    svg.innerHTML = ways.join("") + drawn.join("");
    scale(tree);
  };
  const room = (tree) => tree.panel.querySelector(".scroll").clientWidth - 28;
  const fitting = (tree) => Math.min(1, Math.max(0.6, room(tree) / tree.drawn.wide));
  const scale = (tree) => {
    const by = zoom ?? fitting(tree), svg = tree.panel.querySelector("svg");
    svg.setAttribute("width", (tree.drawn.wide * by).toFixed(0));
    svg.setAttribute("height", (tree.drawn.high * by).toFixed(0));
  };
  const element = (tree, place) => tree.panel && tree.panel.querySelector(`[data-node="${place}"]`);
  const inSight = (tree, place) => {
    const found = element(tree, place);
    if (!found) return;
    const box = tree.panel.querySelector(".scroll"), a = found.getBoundingClientRect(), b = box.getBoundingClientRect();
    if (a.left < b.left || a.right > b.right) box.scrollLeft += (a.left + a.right - b.left - b.right) / 2;
    if (a.top < b.top || a.bottom > b.bottom) box.scrollTop += a.top < b.top ? a.top - b.top - 12 : a.bottom - b.bottom + 12;
  };
  let current = trees[0];
  const choose = (tree, place, focus) => {
    const before = element(tree, tree.chosen);
    if (before) {
      before.classList.remove("chosen");
      before.setAttribute("tabindex", -1);
      before.setAttribute("aria-selected", false);
    }
    tree.chosen = place;
    current = tree;
    const now = element(tree, place);
    if (now) {
      now.classList.add("chosen");
      now.setAttribute("tabindex", 0);
      now.setAttribute("aria-selected", true);
      if (focus) now.focus({ preventScroll: true });
      inSight(tree, place);
    }
    explain();
  };
  const toggle = (tree, place) => {
    if (!tree.nodes[place].test) return;
    const box = tree.panel.querySelector(".scroll"), before = element(tree, place).getBoundingClientRect();
    if (!tree.open.delete(place)) tree.open.add(place);
    tree.chosen = place;
    draw(tree);
    // What was pressed stays where it is.
    const after = element(tree, place).getBoundingClientRect();
    box.scrollLeft += after.left - before.left;
    box.scrollTop += after.top - before.top;
    choose(tree, place, true);
  };

  // ---- The pane for details.
  const figure = (caption, [w, h, body], fit = false) =>
    `<figure><figcaption>${escaped(caption)}</figcaption><svg${fit ? ' class="fit"' : ""} width="${w + 2}" height="${h + 2}" viewBox="-1 -1 ${w + 2} ${h + 2}" role="img" aria-label="${escaped(caption)}">${body}</svg></figure>`;
  const pieceOf = (piece) => data.pieces[piece][1] || data.pieces[piece][0];
  const distribution = (target, answer) => {
    if (target.kind === "number") {
      const [mean, deviation, weight] = answer;
      return `<p>mean ${short(mean)}, standard deviation ${short(deviation)}, of ${short(weight)}</p>`;
    }
    if (target.kind === "line") {
      const places = [];
      for (let i = 0; i < answer.length; i += 2) places.push([answer[i], answer[i + 1]]);
      const rows = places.slice(0, 60).map(([x, y]) => `<tr><td class="number">${short(x)}</td><td class="number">${short(y)}</td></tr>`);
      return `<table>${rows.join("")}</table>${places.length > 60 ? `<p class="soft-text">+${places.length - 60} more</p>` : ""}`;
    }
    const pairs = [];
    for (let i = 0; i < answer.length; i += 2) pairs.push([answer[i], answer[i + 1]]);
    pairs.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const total = target.kind === "classes" ? pairs.reduce((sum, pair) => sum + pair[1], 0) : 1;
    const most = pairs.length ? pairs[0][1] : 1;
    const rows = pairs.slice(0, 60).map(([name, number]) =>
      `<tr><th scope="row">${escaped(target.labels[name])}</th><td class="share"><span style="background:${target.colours[name]};width:${(100 * number / most).toFixed(1)}%"></span></td>${target.kind === "classes" ? `<td class="number">${short(number)}</td>` : ""}<td class="number">${percent(number / total)}</td></tr>`);
    const more = pairs.length > 60 ? `<p class="soft-text">+${pairs.length - 60} more</p>` : "";
    const none = target.labels.length - pairs.length;
    return `<table>${rows.join("")}</table>${more}${none > 0 ? `<p class="soft-text">${none} without any</p>` : ""}`;
  };
  const explain = () => {
    const tree = current, node = tree.nodes[tree.chosen], parts = [];
    parts.push(heading(0, escaped(node.test ? node.test.words : `leaf: ${node.said.map((said) => said[0]).join("; ")}`)));
    parts.push(`<p class="soft-text">${escaped(tree.name)}, node ${tree.chosen + 1} of ${tree.nodes.length}, weight ${short(node.weight)}${node.test ? `, ${node.size - 1} nodes below` : ""}</p>`);
    data.targets.forEach((target, i) => parts.push(heading(1, escaped(target.name)), distribution(target, node.answers[i])));
    if (node.joins[1] !== null) {
      const told = ["followed: solid", "asked for by the test: dashed"].join(", ");
      parts.push(heading(1, "Keys"), figure(node.joins[0] ? `${node.joins[0]} (${told})` : told, data.joins[node.joins[1]], true));
    }
    if (node.test) {
      const { column, distance, branches } = node.test;
      parts.push(`${heading(1, "Branches")}<p>by ${escaped(column)}${distance ? `, distance <code>${escaped(distance)}</code>` : ""}</p>`);
      branches.forEach((branch, i) => {
        const said = `${branch.words}: ${percent(branch.share)}`;
        parts.push(branch.piece === null ? `<p>${escaped(said)}</p>` : figure(said, pieceOf(branch.piece)));
        const beside = tree.aligned && tree.aligned[`${tree.chosen}.${i}`];
        if (beside) parts.push(figure("aligned with the first", beside));
      });
      if (picked) {
        const own = picked.values.find(([name]) => name === column);
        if (own) {
          parts.push(heading(1, `Here row ${escaped(picked.name)} has`), own[2] === null ? `<p>${escaped(column)} ${escaped(own[1])}</p>` : figure(column, pieceOf(own[2])));
          const beside = picked.aligned && picked.aligned[`${tree.number}.${tree.chosen}`];
          if (beside) parts.push(figure("aligned with the prototype of its branch", beside));
        }
      }
    }
    const path = [];
    for (let at = node; at.parent >= 0; at = tree.nodes[at.parent]) {
      path.unshift(`<li>${escaped(tree.nodes[at.parent].test.words)}: <b>${escaped(branchOf(tree, at).words)}</b></li>`);
    }
    if (path.length) parts.push(`${heading(1, "The way here")}<ol>${path.join("")}</ol>`);
    if (picked) {
      const reached = trees.filter((one) => one.panel).map((one) => {
        const leaves = [...one.lit].filter(([place]) => !one.nodes[place].test);
        return `<li>${escaped(one.name)}: ${leaves.map(([place, share]) => `${escaped(one.nodes[place].said.map((said) => said[0]).join("; "))}${share < 1 ? ` (${percent(share)} of it)` : ""}`).join(", ")}</li>`;
      });
      const values = picked.values.map(([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`);
      parts.push(`${heading(1, `Row ${escaped(picked.name)}`)}<ol>${reached.join("")}</ol><table>${values.join("")}</table>`);
    }
    byId("details").innerHTML = parts.join("");
  };

  // ---- A row's way.
  let picked = null;
  const pick = (row) => {
    picked = row;
    for (const tree of trees) {
      tree.lit = null;
      if (!row) continue;
      const [places, shares] = row.ways[tree.number];
      tree.lit = new Map(places.map((place, i) => [place, shares ? shares[i] : 1]));
      for (const place of places) reveal(tree, place);
      tree.chosen = places[places.length - 1];
    }
    trees.forEach(draw);
    if (row) {
      byId("row").value = row.name;
      for (const tree of trees) {
        if (!tree.panel) continue;
        const [places] = row.ways[tree.number];
        tree.panel.querySelector(".scroll").scrollTop = 0;
        inSight(tree, places[places.length - 1]);
      }
    }
    byId("row-said").value = row ? `${data.rows.indexOf(row) + 1} of ${data.rows.length}` : `${data.rows.length} rows`;
    explain();
  };

  // ---- Search.
  let hits = [], hit = -1;
  const textOf = (tree, node) => {
    const branch = branchOf(tree, node);
    return [node.test ? `${node.test.words} ${node.test.column}` : node.said.map((said) => said[0]).join(" "), branch && branch.piece !== null ? branch.words : ""]
      .join(" ").toLowerCase();
  };
  const search = () => {
    const asked = byId("find").value.trim().toLowerCase();
    [hits, hit] = [[], -1];
    for (const tree of trees) {
      tree.found.clear();
      tree.holds.clear();
      if (asked && tree.panel) {
        tree.nodes.forEach((node, place) => {
          if (!textOf(tree, node).includes(asked)) return;
          tree.found.add(place);
          hits.push([tree, place]);
          for (let up = node.parent; up >= 0 && !tree.holds.has(up); up = tree.nodes[up].parent) tree.holds.add(up);
        });
      }
      draw(tree);
    }
    byId("found").value = asked ? `${hits.length} found` : "";
  };
  const nextHit = (by) => {
    if (!hits.length) return;
    hit = (hit + by + hits.length) % hits.length;
    const [tree, place] = hits[hit];
    reveal(tree, place);
    draw(tree);
    choose(tree, place, false);
    byId("found").value = `${hit + 1} of ${hits.length}`;
  };

  // ---- Panels: the trees that were chosen, beside each other.
  const shown = [0];
  const present = () => {
    const holder = byId("panels");
    trees.forEach((tree) => { tree.panel = null; });
    holder.style.setProperty("--beside", shown.length);
    holder.replaceChildren(...shown.map((number) => {
      const tree = trees[number], panel = document.createElement("section");
      const facts = [["score", tree.score === null ? null : short(tree.score)], ["nodes", tree.nodes.length], ["leaves", tree.leaves], ["depth", tree.depth]];
      panel.className = "panel";
      panel.innerHTML = `<header>${heading(0, escaped(tree.name))}<dl>${facts.filter(([, fact]) => fact !== null).map(([name, fact]) => `<div><dt>${name}</dt><dd>${fact}</dd></div>`).join("")}</dl></header><div class="scroll"><svg class="tree" role="tree" aria-orientation="horizontal" aria-label="${escaped(tree.name)}"></svg></div>`;
      tree.panel = panel;
      const svg = panel.querySelector("svg"), placeOf = (event) => {
        const node = event.target.closest("[data-node]");
        return node ? Number(node.dataset.node) : null;
      };
      svg.addEventListener("click", (event) => {
        const place = placeOf(event);
        if (place === null) return;
        if (event.target.classList.contains("toggle")) toggle(tree, place);
        else choose(tree, place, true);
      });
      svg.addEventListener("dblclick", (event) => {
        const place = placeOf(event);
        if (place !== null && !event.target.classList.contains("toggle")) toggle(tree, place);
      });
      svg.addEventListener("focusin", (event) => {
        const place = placeOf(event);
        if (place !== null && (current !== tree || tree.chosen !== place)) choose(tree, place, false);
      });
      svg.addEventListener("keydown", (event) => keys(event, tree));
      return panel;
    }));
    if (!shown.includes(current.number)) current = trees[shown[0]];
    search();
    for (const number of shown) inSight(trees[number], trees[number].chosen);
    explain();
  };
  const keys = (event, tree) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = tree.chosen, node = tree.nodes[place], order = visible(tree);
    const level = order.filter((other) => tree.nodes[other].depth === node.depth), at = level.indexOf(place);
    const go = (to) => { if (to !== undefined && to !== null && to >= 0) choose(tree, to, true); };
    const does = {
      ArrowUp: () => go(node.parent),
      ArrowDown: () => (node.test && !tree.open.has(place) ? toggle(tree, place) : go(node.children[0])),
      ArrowLeft: () => go(level[at - 1]),
      ArrowRight: () => go(level[at + 1]),
      Home: () => go(0),
      End: () => go(order[order.length - 1]),
      Enter: () => toggle(tree, place),
      " ": () => toggle(tree, place),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  };

  // ---- The tools.
  const open = (depth) => {
    for (const number of shown) {
      const tree = trees[number];
      openTo(tree, depth, OPEN_AT_MOST);
      draw(tree);
    }
    const drawn = shown.map((number) => trees[number]);
    const hidden = depth === Infinity && drawn.some((tree) => tree.drawn.shown < tree.nodes.length);
    byId("opened").value = hidden ? `${OPEN_AT_MOST} nodes at most are opened at once` : "";
    explain();
  };
  const deepest = Math.max(...trees.map((tree) => tree.depth));
  byId("depth").max = deepest;
  byId("expand").addEventListener("click", () => open(Infinity));
  byId("collapse").addEventListener("click", () => open(0));
  byId("depth").addEventListener("input", (event) => {
    const depth = parseInt(event.target.value, 10);
    if (depth >= 0) open(depth);
  });
  const zoomBy = (factor) => {
    const now = zoom ?? fitting(trees[shown[0]]);
    zoom = factor === null ? null : Math.min(3, Math.max(0.1, now * factor));
    shown.forEach((number) => scale(trees[number]));
  };
  byId("larger").addEventListener("click", () => zoomBy(1.25));
  byId("smaller").addEventListener("click", () => zoomBy(0.8));
  byId("fit").addEventListener("click", () => zoomBy(null));
  byId("find").addEventListener("input", search);
  byId("find").addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); nextHit(event.shiftKey ? -1 : 1); }
  });
  byId("next").addEventListener("click", () => nextHit(1));
  if (data.rows.length) {
    byId("rows-tool").hidden = false;
    byId("rows").replaceChildren(...data.rows.map((row) => {
      const option = document.createElement("option");
      option.value = row.name;
      return option;
    }));
    const stepBy = (by) => {
      const at = picked ? data.rows.indexOf(picked) + by : 0;
      pick(data.rows[(at + data.rows.length) % data.rows.length]);
    };
    byId("row").addEventListener("input", (event) => {
      const row = data.rows.find((one) => one.name === event.target.value.trim());
      if (row || !event.target.value) pick(row || null);
      else byId("row-said").value = "no such row";
    });
    byId("row-before").addEventListener("click", () => stepBy(-1));
    byId("row-after").addEventListener("click", () => stepBy(1));
    byId("row-none").addEventListener("click", () => { byId("row").value = ""; pick(null); });
    byId("row-said").value = `${data.rows.length} rows`;
    // Whatever else is on the page can ask for the way of a row.
    byId("viewer").addEventListener("row", (event) => {
      const row = data.rows.find((one) => one.name === event.detail);
      if (row) pick(row);
    });
  }
  if (trees.length > 1) {
    byId("trees").hidden = false;
    const spacious = window.matchMedia("(min-width: 60rem)").matches;
    byId("trees").open = spacious && trees.length <= 12;
    byId("list").innerHTML = `<table><thead><tr><th scope="col">shown</th><th scope="col" class="number">score</th><th scope="col" class="number">nodes</th><th scope="col" class="number">leaves</th><th scope="col" class="number">depth</th></tr></thead><tbody>${trees.map((tree) => `<tr><td><label><input type="checkbox" value="${tree.number}"> ${escaped(tree.name)}</label></td><td class="number">${short(tree.score)}</td><td class="number">${tree.nodes.length}</td><td class="number">${tree.leaves}</td><td class="number">${tree.depth}</td></tr>`).join("")}</tbody></table>`;
    const boxes = [...byId("list").querySelectorAll("input")];
    if (spacious) shown.push(1);
    boxes.forEach((box) => { box.checked = shown.includes(Number(box.value)); });
    byId("list").addEventListener("change", (event) => {
      const number = Number(event.target.value);
      if (event.target.checked) {
        shown.push(number);
        // The one that was shown longest makes room.
        if (shown.length > BESIDE) boxes[shown.shift()].checked = false;
      } else if (shown.length > 1) shown.splice(shown.indexOf(number), 1);
      else event.target.checked = true;
      present();
    });
  }
  byId("legend").innerHTML = data.targets.filter((target) => target.labels.length).map((target) => {
    const names = target.labels.slice(0, 24).map((name, i) => `<span><i style="background:${target.colours[i]}"></i>${escaped(name)}</span>`);
    const more = target.labels.length > 24 ? `<span class="soft-text">+${target.labels.length - 24} more</span>` : "";
    return `<p class="legend"><b>${escaped(target.name)}</b>${names.join("")}${more}</p>`;
  }).join("");
  trees.forEach((tree) => openTo(tree, Infinity, OPEN_AT_FIRST));
  present();
  window.addEventListener("resize", () => { if (zoom === null) shown.forEach((number) => scale(trees[number])); });
})();
