"use strict";
/* The sentence, the tiles and the leaderboard: as a chart from the order before to the order now, and as a list. */
function makeBoard(data, state, base, pick) {
  const { find, put, svg, html, share, count } = Dom, { S, Q, meta: { systems, nouns } } = data;
  const row = S > 40 ? 14 : S > 20 ? 17 : 22, WIDTH = 820, TOP = 22, X = { left: 200, link: 400, name: 430, bar: 640, wide: 170 };
  const chart = find("#chart"), list = find("#list"), place = new Int32Array(S);
  base.order.forEach((s, at) => { place[s] = at; });
  chart.setAttribute("viewBox", `0 0 ${WIDTH} ${TOP + S * row + 6}`);
  const brief = (name) => (name.length > 26 ? `${name.slice(0, 25)}…` : name);
  const level = `${+(100 * data.meta.confidence).toFixed(4)}%`;
  [[X.left, "end", `${brief(data.meta.measure)}, as opened`], [X.name, "start", "now"], [X.bar, "start", `mean and ${level} interval`]].forEach(([x, anchor, text]) => chart.append(svg("text", { class: "soft", x, y: 12, "text-anchor": anchor, text })));
  const links = systems.map(() => chart.appendChild(svg("path", { class: "link" })));
  systems.forEach((name, s) => chart.append(svg("text", { x: X.left, y: TOP + (place[s] + 0.7) * row, "text-anchor": "end", "aria-hidden": "true", text: `${brief(name)}  ${base.rank[s]}` })));
  const rows = systems.map((name) => {
    const g = svg("g", { class: "system", role: "button", tabindex: -1 }), place = svg("text", { x: X.name - 6, "text-anchor": "end" }), mean = svg("text", { x: X.bar - 8, "text-anchor": "end" });
    const bar = svg("line", { class: "bar", y1: -row * 0.22, y2: -row * 0.22 }), dot = svg("circle", { r: 3, cy: -row * 0.22 }), title = svg("title");
    g.append(title, svg("rect", { class: "ground", x: X.link, width: WIDTH - X.link, height: row, y: -row * 0.7, rx: 3 }), place, svg("text", { x: X.name, text: brief(name) }), mean, bar, dot);
    return { g, place, mean, bar, dot, title };
  });
  const items = systems.map((name) => {
    const place = html("span", { class: "place" }), step = html("span", { class: "step" }), mean = html("span", { class: "mean" }), button = html("button", { type: "button" }, html("bdi", { text: name }));
    return { li: html("li", {}, place, step, button, mean), place, step, mean, button };
  });
  rows.forEach((one, s) => {
    chart.append(one.g);
    one.g.addEventListener("click", (event) => pick(s, event.shiftKey));
    one.g.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(s, event.shiftKey); } });
    items[s].button.addEventListener("click", () => pick(s, false));
  });
  list.append(...items.map((one) => one.li));
  Dom.roving(chart, "g.system", { ArrowDown: 1, ArrowUp: -1 });

  function drawRows(now) {
    const { means, half, order, rank } = now, low = Math.min(...means.map((m, s) => m - (half[s] || 0)).filter(Number.isFinite)), high = Math.max(...means.map((m, s) => m + (half[s] || 0)).filter(Number.isFinite));
    const x = (v) => X.bar + ((v - low) / (high - low || 1)) * X.wide;
    order.forEach((s, at) => {
      const one = rows[s], item = items[s], y = TOP + (at + 0.5) * row, from = TOP + (place[s] + 0.5) * row, moved = base.rank[s] - rank[s];
      const mean = Number.isNaN(means[s]) ? "–" : means[s].toFixed(4), could = now.first ? now.first[s] : 0;
      const words = `${systems[s]}: rank ${rank[s]}, mean ${mean} ± ${half[s].toFixed(4)}${moved ? `, ${moved > 0 ? "up" : "down"} ${Math.abs(moved)}` : ""}${could ? "; could be first" : ""}`;
      put(one.g, "transform", `translate(0 ${(y + row * 0.2).toFixed(1)})`);
      put(one.g, "class", `system${could ? " could" : ""}${s === state.a ? " a" : s === state.b ? " b" : ""}`);
      put(one.g, "data-at", at); put(one.title, "text", words); put(one.g, "tabindex", s === state.a ? 0 : -1); put(one.g, "aria-pressed", s === state.a || s === state.b);
      put(one.place, "text", rank[s]); put(one.mean, "text", mean);
      put(one.bar, "x1", x(means[s] - (half[s] || 0)).toFixed(1)); put(one.bar, "x2", x(means[s] + (half[s] || 0)).toFixed(1)); put(one.dot, "cx", x(means[s]).toFixed(1));
      put(links[s], "d", `M${X.left + 8} ${from}C${X.left + 90} ${from} ${X.link - 80} ${y} ${X.link + 6} ${y}`);
      put(links[s], "class", `link${moved > 0 ? " up" : moved < 0 ? " down" : ""}`);
      put(item.place, "text", rank[s]); put(item.step, "text", moved > 0 ? `▲${moved}` : moved < 0 ? `▼${-moved}` : "="); put(item.step, "class", `step${moved > 0 ? " up" : moved < 0 ? " down" : ""}`);
      put(item.mean, "text", mean); put(item.li, "class", `${could ? "could" : ""}${s === state.a ? " a" : s === state.b ? " b" : ""}`);
    });
    if (order.some((s, at) => list.children[at] !== items[s].li)) list.append(...order.map((s) => items[s].li));
  }

  function tile(id, value, was) { put(find(`#${id} b`), "text", value); put(find(`#${id} .was`), "text", was); }
  function drawTiles(now) {
    const leader = now.order[0], first = base.order[0], all = (S * (S - 1)) / 2;
    let changed = 0;
    for (let s = 0; s < S; s++) if (now.rank[s] !== base.rank[s]) changed++;
    tile("tile-leader", systems[leader], leader === first ? "as when opened" : `was ${systems[first]}`);
    tile("tile-tau", Number.isNaN(now.tau) ? "–" : now.tau.toFixed(3), `${changed} of ${S} change place; τ_AP ${Number.isNaN(now.tauAP) ? "–" : now.tauAP.toFixed(3)}`);
    if (now.first) {
      tile("tile-first", count(now.firsts), `of ${count(S)} systems; was ${count(base.firsts)}`);
      tile("tile-queries", count(now.need), `for Φ 0.95; was ${count(base.need)}. Φ now ${Number.isNaN(now.phi) ? "–" : now.phi.toFixed(3)}`);
      tile("tile-apart", share(now.told, all), `${count(now.told)} of ${count(all)} pairs; was ${share(base.told, all)}`);
    }
    const sure = now.robust;
    tile("tile-robust", share(sure.count, all), `${count(sure.count)} pairs, whatever gain and discount${sure.certified ? "" : " (DCG only)"}; was ${share(base.robust.count, all)}${base.robust.certified && !sure.certified ? ", certified" : ""}`);
  }

  function sentence(now) {
    const leader = systems[now.order[0]], first = systems[base.order[0]], others = now.first ? now.firsts - 1 : 0;
    const usual = State.same(state, data.meta.start), still = leader === first;
    const rest = !now.first ? "" : others > 0 ? `, but ${count(others)} other${others > 1 ? "s" : ""} could also be first on ${count(Q)} ${nouns.queries}` : `, and no other system could be first on ${count(Q)} ${nouns.queries}`;
    return `${leader} ${usual || !still ? "leads" : "still leads"} under ${State.short(data, state)}${usual || still ? "" : `, not ${first}`}${rest}.`;
  }
  return (now) => { drawRows(now); drawTiles(now); return sentence(now); };
}
