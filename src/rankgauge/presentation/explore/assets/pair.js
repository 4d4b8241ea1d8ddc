"use strict";
/* Two systems: the difference, the corners, every query, the two lists of one query, and what would overturn them. */
function makePair(data, state, changed) {
  const { find, put, svg, html, signed, count } = Dom, { Q, G, S, meta } = data, { systems, queries, texts, grades, nouns } = meta;
  const BARS = 120, most = Math.max(...grades, 1);
  const sides = { a: find("#system-a"), b: find("#system-b") };
  for (const [side, select] of Object.entries(sides)) {
    systems.forEach((name, s) => select.append(html("option", { value: s, text: name })));
    select.addEventListener("change", () => { state[side] = Number(select.value); state.q = null; changed(); });
  }
  let order = [], difference = null, documents = null, cornersOf = "", listsOf = "", seen = "";

  function verdict(now) {
    if (!now.better) return "";
    const side = now.better[state.a * S + state.b];
    return side ? `${systems[side > 0 ? state.a : state.b]} is better (t-test, Holm over all pairs).` : `Undecided: these ${nouns.queries} do not separate them (t-test, Holm over all pairs).`;
  }
  function robustWords() {
    if (!meta.robust || !State.same({ ...state, fam: "", par: 0, own: null, gain: "", gains: null }, { ...meta.start, fam: "", par: 0, own: null, gain: "", gains: null })) return "";
    const code = data.col.certified[state.a * S + state.b];
    return ["", " Certified: the same winner under every gain and discount.", " It depends: some gain and discount turn the pair round.", " Open: neither certified nor refuted.", " The two are equal under every gain and discount."][code] ?? "";
  }

  function drawCorners() {
    const key = JSON.stringify([state.a, state.b, state.k, state.ties, state.unjudged]);
    if (key === cornersOf) return;
    cornersOf = key;
    const host = find("#corners"), table = grades.filter((g) => g > 0).length > 12 ? [] : Breaking.corners(data, state, state.a, state.b), shapes = [];
    const wide = 290 / state.k;
    let ups = 0, downs = 0;
    table.reverse().forEach(({ grade, row }, t) => {
      row.forEach((e, r) => {
        if (e > 0) ups++; else if (e < 0) downs++;
        const kind = e > 0 ? "up" : e < 0 ? "down" : "even";
        shapes.push(svg("rect", { class: kind, x: (84 + r * wide).toFixed(1), y: t * 17, width: Math.max(1, wide - 1).toFixed(1), height: 15, "fill-opacity": e ? Math.min(1, 0.25 + Math.abs(e) * 4).toFixed(2) : 1 }, svg("title", { text: `first ${r + 1}, grade ${grade} or more: ${signed(e)}` })));
      });
      shapes.push(svg("text", { class: "soft", x: 78, y: t * 17 + 12, "text-anchor": "end", text: `grade ≥ ${grade}` }));
    });
    shapes.push(svg("text", { class: "soft", x: 84, y: table.length * 17 + 12, text: "first 1" }), svg("text", { class: "soft", x: 374, y: table.length * 17 + 12, "text-anchor": "end", text: `first ${state.k}` }));
    host.setAttribute("viewBox", `0 0 380 ${table.length * 17 + 16}`);
    const words = `${ups} corners favor ${systems[state.a]}, ${downs} favor ${systems[state.b]}`;
    host.setAttribute("aria-label", words);
    host.replaceChildren(...shapes);
    put(find("#corners-words"), "text", ups && downs ? `${words}: which one is ahead depends on the measure.` : `${words}: only mixtures of these could turn the pair round.`);
  }

  function drawBars() {
    const diff = difference.diff, known = [...diff.keys()].filter((q) => diff[q] === diff[q]);
    order = known.sort((p, r) => diff[r] - diff[p] || p - r);
    const shown = order.length <= BARS ? order : [...order.slice(0, BARS / 2), ...order.slice(-BARS / 2)];
    if (state.q === null || !known.includes(state.q)) state.q = order.at(-1) ?? null;
    const wide = 380 / shown.length, top = Math.max(0.05, ...shown.map((q) => Math.abs(diff[q]))), host = find("#bars");
    const active = host.contains(document.activeElement) ? state.q : null;
    host.replaceChildren(svg("line", { class: "axis", x1: 0, x2: 380, y1: 60, y2: 60 }), ...shown.map((q, at) => {
      const high = Math.max(0.8, (Math.abs(diff[q]) / top) * 56), words = `${queries[q]}${texts?.[q] ? ` ${texts[q]}` : ""}: ${signed(diff[q])}`;
      return svg("g", { class: q === state.q ? "query on" : "query", role: "button", "data-q": q, "data-at": at, tabindex: q === state.q || (at === 0 && !shown.includes(state.q)) ? 0 : -1, "aria-label": words, "aria-pressed": q === state.q },
        svg("rect", { class: "ground", x: (at * wide).toFixed(2), y: 0, width: wide.toFixed(2), height: 120 }),
        svg("rect", { class: diff[q] >= 0 ? "up" : "down", x: ((at + 0.1) * wide).toFixed(2), y: (diff[q] >= 0 ? 60 - high : 60).toFixed(1), width: (wide * 0.8).toFixed(2), height: high.toFixed(1) }), svg("title", { text: words }));
    }));
    if (active !== null) host.querySelector(`[data-q="${active}"]`)?.focus({ preventScroll: true });
    put(find("#bars-words"), "text", order.length > BARS ? `The ${BARS / 2} largest wins and losses of ${count(Q)} ${nouns.queries}.` : `One bar per ${nouns.query}: click one, or use ← and →.`);
  }

  function drawLists() {
    const q = state.q, key = JSON.stringify([state.a, state.b, q]), { depth, queries: kept } = meta.lists, at = kept.indexOf(q);
    put(find("#query-name"), "text", q === null ? `No ${nouns.query}` : `${queries[q]}${texts?.[q] ? `: ${texts[q]}` : ""} (${signed(difference.diff[q])})`);
    if (key === listsOf || q === null) return;
    listsOf = key;
    const host = find("#lists");
    if (at < 0) {
      host.replaceChildren(html("p", { class: "soft", text: depth ? `The lists of this ${nouns.query} were left out to keep the page small: the systems differ little on it.` : "This page was written without lists." }));
      return;
    }
    documents ??= unpackedLists();
    const positions = (s) => [...data.col.positions.subarray((at * S + s) * depth, (at * S + s + 1) * depth)].filter((p) => p);
    const one = (s, mine, other) => html("div", {}, html("h3", {}, html("bdi", { text: systems[s] })), html("ol", {}, ...mine.map((p) => entry(at, p, other.indexOf(p) + 1))));
    host.replaceChildren(one(state.a, positions(state.a), positions(state.b)), one(state.b, positions(state.b), positions(state.a)));
  }
  function unpackedLists() {
    const found = JSON.parse(new TextDecoder().decode(data.col.texts));
    let from = 0;
    found.start = found.documents.map((known) => { const here = from; from += known.length; return here; });
    return found;
  }
  function entry(at, position, there) {
    const code = data.col.judged[documents.start[at] + position - 1], grade = code ? grades[code - 1] : null, share = grade === null ? 0 : Math.max(0, grade) / most;
    const chip = html("b", { class: grade === null ? "chip unjudged" : share > 0.6 ? "chip high" : share > 0 ? "chip some" : "chip", title: grade === null ? "unjudged" : `judged ${grade}`, text: grade === null ? "?" : grade < 0 ? "−" : grade });
    const title = documents.titles?.[at][position - 1];
    return html("li", {}, chip, html("bdi", { text: title || documents.documents[at][position - 1], ...(title ? { title: documents.documents[at][position - 1] } : {}) }), html("span", { class: "soft", text: there ? ` (${there})` : "" }));
  }

  const open = (q) => { state.q = Number(q); drawBars(); drawLists(); changed(true); find(`#bars [data-q="${q}"]`)?.focus({ preventScroll: true }); };
  find("#bars").addEventListener("click", (event) => { const bar = event.target.closest("[data-q]"); if (bar) open(bar.dataset.q); });
  find("#bars").addEventListener("keydown", (event) => { const bar = event.target.closest("[data-q]"); if (bar && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); open(bar.dataset.q); } });
  Dom.roving(find("#bars"), "g.query", { ArrowRight: 1, ArrowLeft: -1 });
  find("#bars").addEventListener("focusin", (event) => { const q = Number(event.target.dataset?.q); if (Number.isInteger(q) && q !== state.q) open(q); });
  function nextLoss() {
    const losses = order.filter((q) => difference.diff[q] < 0).reverse();
    if (losses.length) open(losses[(losses.indexOf(state.q) + 1) % losses.length]);
  }
  find("#next-loss").addEventListener("click", nextLoss);

  const NAMES = { log2: () => "log₂", linear: () => "a linear discount", none: () => "no discount", zipf: (n) => `zipf(${n / 100})`, rbp: (n) => `rbp(${n / 100})`, cutoff: (n) => `cutoff ${n}`, power: (n) => `gain grade^${n / 10}`, exp: () => "gain 2^grade − 1" };
  const wayName = ({ kind, step }) => (NAMES[kind] ? NAMES[kind](step) : kind.startsWith("ties") ? `ties: ${kind.slice(5)}` : `unjudged: ${kind.slice(9)}`);
  function breakIt() {
    const found = Breaking.ways(data, State.setting(state), state.a, state.b), now = Breaking.lead(data, state, state.a, state.b), host = find("#ways");
    const ahead = systems[now >= 0 ? state.a : state.b], behind = systems[now >= 0 ? state.b : state.a];
    seen = breakKey();
    if (!now) put(find("#broken"), "text", "The two have the same mean; there is nothing to overturn.");
    else if (!found.length) put(find("#broken"), "text", `Nothing tried overturns it: ${ahead} stays ahead of ${behind} for every zipf, RBP, cutoff, gain and rule on this page.`);
    else put(find("#broken"), "text", `${ahead} stays ahead of ${behind} until ${wayName(found[0])}: the mildest change that overturns the pair.`);
    host.replaceChildren(...found.map((way) => {
      const button = html("button", { type: "button", text: wayName(way) });
      button.addEventListener("click", () => { Object.assign(state, way.setting); changed(); });
      return html("li", {}, button, html("span", { class: "soft", text: ` scores move by ${way.moved.toFixed(4)}` }));
    }));
    return found;
  }
  const breakKey = () => JSON.stringify([State.setting(state), state.a, state.b]);
  find("#break").addEventListener("click", breakIt);

  let later = 0;
  function draw(now, x) {
    for (const [side, select] of Object.entries(sides)) select.value = state[side];
    if (S < 2) return;
    difference = Trust.pair(data, x, state.a, state.b);
    const d = difference;
    put(find("#difference"), "text", `${signed(d.mean)} [${signed(d.low)}, ${signed(d.high)}]; ${count(d.wins)} wins, ${count(d.ties)} ties, ${count(d.losses)} losses (interval of this pair alone). ${verdict(now)}${robustWords()}`);
    if (seen && seen !== breakKey()) { seen = ""; put(find("#broken"), "text", "Another setting or pair: press again."); }
    clearTimeout(later);
    const rest = () => { drawCorners(); drawBars(); drawLists(); };
    if (data.cells > 20000) later = setTimeout(rest, 80); else rest();
  }
  return { draw, nextLoss, breakIt };
}
