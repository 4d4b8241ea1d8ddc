"use strict";
/* The controls: families, sliders and curves with points to drag. */
function makeControls(data, state, changed) {
  const { find, put, svg, html } = Dom, { grades, exp } = data.meta, G = data.G;
  const most = Math.max(...grades);

  function choice(host, options, key, choose) {
    for (const [value, label] of options) {
      const button = html("button", { type: "button", "data-value": value, text: label });
      button.addEventListener("click", () => { choose(value); changed(); });
      host.append(button);
    }
    return () => { for (const button of host.children) put(button, "aria-pressed", state[key] === button.dataset.value); };
  }
  const shares = () => { const w = Exact.weights(data, state); return [...w].map((x) => x / (w[0] || 1)); };
  const syncs = [
    choice(find("#family"), [["log2", "log₂"], ["zipf", "Zipf"], ["rbp", "RBP"], ["linear", "linear"], ["none", "none"], ["own", "own"]], "fam", (fam) => {
      if (fam === "own") state.own = shares();
      Object.assign(state, { fam, par: fam === "rbp" ? 0.8 : 1 });
    }),
    choice(find("#gain"), [["linear", "grade"], ...(exp ? [["exp", "2^grade − 1"]] : []), ["own", "own"]], "gain", (gain) => {
      if (gain === "own") state.gains = [...Exact.gains(data, state)];
      state.gain = gain;
    }),
    choice(find("#unjudged"), [["zero", "not relevant"], ["drop", "left out"]], "unjudged", (rule) => { state.unjudged = rule; }),
    choice(find("#ties"), data.ties.map((rule) => [rule, { document: `by ${data.meta.nouns.document} id`, order: "as given", mean: "averaged", worst: "worst case", best: "best case" }[rule]]), "ties", (rule) => { state.ties = rule; }),
  ];
  const parameter = find("#parameter"), cutoff = find("#cutoff");
  parameter.addEventListener("input", () => { state.par = Number(parameter.value); changed(); });
  cutoff.addEventListener("input", () => { state.k = Number(cutoff.value); changed(); });

  const presets = find("#presets");
  State.PRESETS.forEach(([name, wanted], at) => {
    if ((wanted.gain !== "exp" || exp) && (!wanted.ties || data.ties.includes(wanted.ties))) presets.append(html("option", { value: at, text: name }));
  });
  presets.addEventListener("change", () => {
    if (presets.value !== "") Object.assign(state, data.meta.start, State.PRESETS[Number(presets.value)][1]);
    changed();
  });
  find("#reset").addEventListener("click", () => { Object.assign(state, data.meta.start); presets.value = ""; changed(); });

  /* Points move by pointer or by keys; `move(index, share)` gets a height between 0 and 1. */
  function draggable(host, move) {
    host.addEventListener("pointerdown", (event) => {
      const at = event.target.dataset?.point;
      if (at === undefined) return;
      event.preventDefault();
      host.setPointerCapture(event.pointerId);
      const follow = (now) => { const box = host.getBoundingClientRect(); move(Number(at), Math.max(0, Math.min(1, (130 - ((now.clientY - box.top) / box.height) * 150) / 120))); };
      const end = () => { host.removeEventListener("pointermove", follow); host.removeEventListener("pointerup", end); host.removeEventListener("pointercancel", end); };
      host.addEventListener("pointermove", follow); host.addEventListener("pointerup", end); host.addEventListener("pointercancel", end);
    });
    host.addEventListener("keydown", (event) => {
      const at = event.target.dataset?.point, step = { ArrowUp: 0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowLeft: -0.01, PageUp: 0.1, PageDown: -0.1, Home: -1, End: 1 }[event.key];
      if (at === undefined || !step) return;
      event.preventDefault();
      move(Number(at), Math.max(0, Math.min(1, Number(event.target.getAttribute("data-share")) + step)));
    });
  }
  const curve = find("#curve"), steps = find("#steps");
  draggable(curve, (at, share) => {
    if (state.fam !== "own") Object.assign(state, { own: shares(), fam: "own", par: 1 });
    while (state.own.length < data.col.log2.length) state.own.push(0);
    const height = at === 0 ? Math.max(share, 0.01) : share;
    state.own = state.own.map((w, r) => (r === at ? height : r > at ? Math.min(w, height) : Math.max(w, height)));
    changed();
  });
  draggable(steps, (at, share) => {
    if (state.gain !== "own") Object.assign(state, { gains: [...Exact.gains(data, state)], gain: "own" });
    const height = share * top(), bottom = grades[at] > 0 && at === grades.findIndex((g) => g > 0) ? 0.01 * most : 0;
    const value = Math.max(height, bottom);
    state.gains = state.gains.map((gain, g) => (grades[g] <= 0 ? 0 : g === at ? value : g > at ? Math.max(gain, value) : Math.min(gain, value)));
    changed();
  });
  const top = () => Math.max(most, ...Exact.gains(data, state));

  function redraw(host, shapes) { // keeps the focus on the point that had it
    const active = host.contains(document.activeElement) ? document.activeElement.dataset.point : null;
    host.replaceChildren(...shapes);
    if (active !== null) host.querySelector(`[data-point="${active}"]`)?.focus({ preventScroll: true });
  }
  const point = (at, x, y, share, label, text) => svg("circle", { class: "point", r: 6, cx: x.toFixed(1), cy: y.toFixed(1), "data-point": at, "data-share": share, tabindex: 0, role: "slider", "aria-label": label, "aria-orientation": "vertical", "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": share.toFixed(3), "aria-valuetext": text });
  const line = (kind, ys, x, y) => svg("path", { class: kind, d: ys.map((v, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(v).toFixed(1)}`).join("") });
  const label = (x, y, text, anchor = "middle") => svg("text", { class: "soft", x, y, "text-anchor": anchor, text });

  function drawCurve() {
    const k = state.k, w = shares().slice(0, k), usual = data.meta.start, before = Exact.weights(data, { ...usual, k });
    const x = (r) => 24 + (k === 1 ? 130 : (r / (k - 1)) * 262), y = (v) => 130 - 120 * v, every = Math.ceil(k / 20);
    const shapes = [svg("line", { class: "axis", x1: 20, x2: 292, y1: 130, y2: 130 }), line("before", [...before.slice(0, k)].map((v) => v / (before[0] || 1)), x, y), line("curve", w, x, y)];
    for (let r = 0; r < k; r += every) shapes.push(point(r, x(r), y(w[r]), w[r], `weight of rank ${r + 1}`, `${w[r].toFixed(3)} of the first`));
    for (const r of new Set([0, Math.floor(k / 2), k - 1])) shapes.push(label(x(r), 146, r + 1));
    redraw(curve, shapes);
  }
  function drawSteps() {
    const gains = [...Exact.gains(data, state)], height = top(), x = (g) => 30 + (G === 1 ? 130 : (g / (G - 1)) * 250), y = (v) => 130 - 120 * (v / height);
    const usual = Exact.gains(data, data.meta.start), scale = height / Math.max(...usual);
    const shapes = [svg("line", { class: "axis", x1: 20, x2: 292, y1: 130, y2: 130 }), line("before", [...usual].map((v) => v * Math.min(1, scale)), x, y), line("curve", gains, x, y)];
    if (G <= 12) for (let g = 0; g < G; g++) {
      if (grades[g] > 0) shapes.push(point(g, x(g), y(gains[g]), gains[g] / height, `gain of grade ${grades[g]}`, String(+gains[g].toFixed(3))), label(x(g) - 10, y(gains[g]) - 6, +gains[g].toFixed(3), "end"));
      shapes.push(label(x(g), 146, grades[g] < 0 ? "below 0" : grades[g]));
    }
    redraw(steps, shapes);
  }
  return () => {
    const named = state.fam === "zipf" || state.fam === "rbp", rbp = state.fam === "rbp";
    find("#parameter-row").hidden = !named;
    if (named) {
      parameter.min = rbp ? 0.3 : 0; parameter.max = rbp ? 0.99 : 3; parameter.step = 0.01; parameter.value = state.par;
      put(find("#parameter-name"), "text", rbp ? "patience p" : "exponent s"); put(find("#parameter-value"), "text", state.par.toFixed(2));
    }
    cutoff.value = state.k; put(find("#cutoff-value"), "text", state.k);
    syncs.forEach((sync) => sync());
    drawCurve(); drawSteps();
    put(find("#command"), "text", State.command(data, state));
  };
}
