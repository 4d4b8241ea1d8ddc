"use strict";
/* Puts the page together: what is chosen is computed once a frame and drawn; large collections get a worker. */
(async () => {
  const { find, put, count } = Dom, packed = find("#data");
  if (typeof DecompressionStream === "undefined") return; // the static page says all that an old browser can show
  const data = Engine.decode(await Engine.inflate(packed.textContent));
  packed.remove();
  const { S, meta } = data, LARGE = 20000, x = new Float64Array(data.cells);
  data.ties = meta.ties;
  const state = { ...meta.start, a: 0, b: 0, q: null };

  /* Scores and order of a setting; `sure` adds what takes longer: Φ, queries needed, verdicts on pairs. */
  function quick(setting, into) {
    Engine.scores(data, setting, into);
    const means = Engine.means(data, into);
    return { means, ...Trust.ranks(means), half: Trust.intervals(data, into) };
  }
  const left = (setting) => (meta.policy.undefined ? null : Engine.undefinedQueries(data, setting));
  function sure(host, values, skipped) {
    const study = Trust.dependability(host, values, skipped), { told, better, first } = Trust.verdicts(host, values);
    return { phi: study.phi, need: study.need(0.95), told, better, first, firsts: first.reduce((n, one) => n + one, 0) };
  }
  let stairs = {}, dominated = {};
  function robust(setting) {
    const rules = `${setting.ties}/${setting.unjudged}`, start = meta.start;
    if (meta.robust && setting.k === start.k && rules === `${start.ties}/${start.unjudged}`) return { count: meta.robust.count, certified: true };
    stairs[rules] ??= Breaking.staircase(data, setting);
    return { count: dominated[`${rules}/${setting.k}`] ??= Breaking.dominated(data, stairs[rules], setting.k), certified: false };
  }

  const opening = new Float64Array(data.cells), base = { ...quick(meta.start, opening), robust: robust(meta.start) };
  Object.assign(base, sure(data, opening, left(meta.start)));
  state.a = base.order[0];
  state.b = meta.baseline !== null && meta.baseline !== state.a ? meta.baseline : base.order[Math.min(1, S - 1)];
  State.fromLink(data, state, location.hash);
  if (S > 1 && state.a === state.b) state.b = base.order.find((s) => s !== state.a);

  /* A worker answers the latest question; without one the page does the work itself. */
  let worker = null, asked = 0, busy = false, skipped = null;
  function ask() { busy = true; worker.postMessage({ id: asked, x, left: skipped }); } // one question at a time: what is dragged past is never asked
  if (data.cells > LARGE) {
    try {
      const code = `${find("#engine").textContent};const sure=${sure};let host;onmessage=({data:m})=>{if(m.host)host=m.host;else postMessage({id:m.id,...sure(host,m.x,m.left)})};`;
      worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
      worker.postMessage({ host: { S, Q: data.Q, col: { weights: data.col.weights }, meta: { confidence: meta.confidence } } });
      worker.onmessage = ({ data: answer }) => { busy = false; if (answer.id === asked) show(Object.assign(now, answer)); else ask(); };
      worker.onerror = () => { worker = null; };
    } catch { worker = null; }
  }
  let now = base;
  function compute() {
    if (now === base && State.same(state, meta.start)) { // the opening has just been computed
      x.set(opening);
      return { ...base, ...Trust.agreement(base.means, base.means) };
    }
    const setting = State.setting(state), found = { ...quick(setting, x), robust: robust(setting) };
    Object.assign(found, Trust.agreement(base.means, found.means));
    if (worker) { asked++; skipped = left(setting); if (!busy) ask(); } else Object.assign(found, sure(data, x, left(setting)));
    return found;
  }

  let waiting = 0, spoken = 0, speaking = 0, linking = 0;
  function say(text) { // screen readers hear the latest sentence, at most once a second
    clearTimeout(speaking);
    speaking = setTimeout(() => { spoken = Date.now(); put(find("#spoken"), "text", text); }, Math.max(0, 1000 - (Date.now() - spoken)));
  }
  const timing = { compute: 0, draw: 0 };
  function show(found) {
    const text = drawBoard(found);
    put(find("#sentence"), "text", text);
    say(text);
    pair.draw(found, x);
  }
  function render() {
    const begin = performance.now();
    now = compute();
    const middle = performance.now();
    drawControls();
    show(now);
    Object.assign(timing, { compute: middle - begin, draw: performance.now() - middle });
    link();
  }
  function link() {
    clearTimeout(linking);
    linking = setTimeout(() => history.replaceState(null, "", State.toLink(data, state)), 300);
  }
  const changed = (onlyLink = false) => {
    if (onlyLink) link();
    else if (!waiting) waiting = requestAnimationFrame(() => { waiting = 0; render(); });
  };

  const drawControls = makeControls(data, state, () => changed());
  const drawBoard = makeBoard(data, state, base, (s, second) => {
    if (second) { if (s !== state.a) state.b = s; } else if (s !== state.a) { state.b = state.a; state.a = s; }
    state.q = null;
    changed();
  });
  const pair = makePair(data, state, changed);

  find("#save").addEventListener("click", () => {
    const text = JSON.stringify({ measure: State.measure(data, state), ties: state.ties, unjudged: state.unjudged, command: State.command(data, state) }, null, 1);
    const anchor = Dom.html("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: "explorer.json" });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
  });
  const copied = (text) => navigator.clipboard?.writeText(text).then(() => put(find("#copied"), "text", "Copied."), () => put(find("#copied"), "text", "Copying is not allowed here: select the text."));
  find("#copy").addEventListener("click", () => copied(State.command(data, state)));
  find("#copy-link").addEventListener("click", () => copied(location.href.split("#")[0] + State.toLink(data, state)));
  const toggle = find("#toggle");
  toggle.addEventListener("click", () => { const open = document.body.classList.toggle("open"); toggle.setAttribute("aria-expanded", open); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    if (event.key === "n") pair.nextLoss();
    else if (event.key === "b") pair.breakIt();
    else if (event.key === "Escape" && document.body.classList.contains("open")) toggle.click();
  });
  addEventListener("hashchange", () => { State.fromLink(data, state, location.hash); changed(); });

  if (!meta.lists.depth || meta.lists.queries.length < data.Q) put(find("#kept"), "text", meta.lists.depth ? `Lists of ${count(meta.lists.queries.length)} of ${count(data.Q)} ${meta.nouns.queries} are in this page: those on which the systems differ most.` : "");
  render();
  document.documentElement.classList.replace("starting", "live");
  window.explorer = { data, state, base, timing, compute, render, now: () => now, State, pair };
  document.body.dataset.ready = Math.round(performance.now());
})().catch((problem) => {
  document.documentElement.classList.remove("starting", "live"); // the static page is better than none
  throw problem;
});
