"use strict";
/* What is chosen: in the page, in the link, as a measure and as a command. */
const State = (() => {
  const KEYS = ["fam", "par", "own", "gain", "gains", "k", "ties", "unjudged"];
  const setting = (state) => Object.fromEntries(KEYS.map((key) => [key, state[key]]));
  const same = (a, b) => JSON.stringify(setting(a)) === JSON.stringify(setting(b));

  function discountText(data, state) {
    if (state.fam === "zipf") return state.par === 1 ? "zipf" : `zipf(${state.par})`;
    if (state.fam === "rbp") return `rbp(${state.par})`;
    return state.fam === "own" ? `weights(${[...Exact.weights(data, state).slice(0, state.k)].join(", ")})` : state.fam;
  }

  function gainText(data, state) {
    if (state.gain !== "own") return state.gain;
    const { grades } = data.meta, good = grades.map((_, g) => g).filter((g) => grades[g] > 0);
    const whole = good.every((g, at) => grades[g] === at + 1);
    const gains = Exact.gains(data, state);
    return whole ? `levels(${good.map((g) => gains[g]).join(", ")})` : `table(${good.map((g) => `${grades[g]}:${gains[g]}`).join(", ")})`;
  }

  /* The measure in full precision, as rankgauge reads it. */
  function measure(data, state) {
    const options = [];
    if (state.gain !== "linear") options.push(`gain=${gainText(data, state)}`);
    if (state.fam !== "log2") options.push(`discount=${discountText(data, state)}`);
    return `nDCG${options.length ? `(${options.join(", ")})` : ""}@${state.k}`;
  }

  /* The same in a few words. */
  function short(data, state) {
    const options = [];
    if (state.gain !== "linear") options.push(state.gain === "own" ? "own gains" : "gain=exp");
    if (state.fam !== "log2") options.push(state.fam === "own" ? "own weights" : discountText(data, state));
    const rules = [];
    if (state.ties !== data.meta.start.ties) rules.push(`ties ${state.ties}`);
    if (state.unjudged !== data.meta.start.unjudged) rules.push(`unjudged ${state.unjudged}`);
    return `nDCG${options.length ? `(${options.join(", ")})` : ""}@${state.k}${rules.length ? `, ${rules.join(", ")}` : ""}`;
  }

  function command(data, state) {
    const { policy } = data.meta, text = measure(data, state), long = text.length > 90;
    const rules = [["ties", state.ties, "document"], ["unjudged", state.unjudged, "zero"], ["missing", policy.missing, "zero"], ["undefined", policy.undefined, null], ["depth", policy.depth, null]];
    const words = rules.filter(([, value, usual]) => value && value !== usual).map(([name, value]) => ` --${name} ${value}`);
    const plain = /^[\w@.]+$/.test(text) ? text : `'${text}'`;
    return `rankgauge evaluate JUDGMENTS RUN... -m ${long ? "@explorer.json" : plain}${words.join("")}`;
  }

  function toLink(data, state) {
    const words = new URLSearchParams();
    words.set("d", state.fam === "own" ? `own:${state.own.join(",")}` : `${state.fam}:${state.par}`);
    words.set("g", state.gain === "own" ? `own:${state.gains.join(",")}` : state.gain);
    words.set("k", state.k); words.set("ties", state.ties); words.set("unjudged", state.unjudged);
    words.set("a", data.meta.systems[state.a]); words.set("b", data.meta.systems[state.b]);
    if (state.q !== null) words.set("q", data.meta.queries[state.q]);
    return `#${words}`;
  }

  /* What a link asks for, as far as it can be had; anything odd is passed over. */
  function fromLink(data, state, link) {
    const words = new URLSearchParams(link.replace(/^#/, "")), { meta, G } = data, found = {};
    const numbers = (text) => text.split(",").map(Number), fine = (list) => list.every((x) => Number.isFinite(x) && x >= 0);
    const [fam, rest] = (words.get("d") ?? "").split(":"), par = Number(rest);
    const between = (low, high) => Number.isInteger(Math.round(par * 100)) && par >= low && par <= high;
    if (["log2", "linear", "none"].includes(fam)) Object.assign(found, { fam, par: 1 });
    else if ((fam === "zipf" && between(0, 3)) || (fam === "rbp" && between(0.3, 0.99))) Object.assign(found, { fam, par: Math.round(par * 100) / 100 });
    else if (fam === "own" && rest && fine(numbers(rest)) && numbers(rest)[0] > 0) Object.assign(found, { fam, par: 1, own: numbers(rest).slice(0, 100) });
    const [gain, gains] = (words.get("g") ?? "").split(":");
    if (gain === "linear" || (gain === "exp" && meta.exp)) found.gain = gain;
    else if (gain === "own" && gains && numbers(gains).length === G && fine(numbers(gains))) {
      Object.assign(found, { gain, gains: numbers(gains).map((g, at) => (meta.grades[at] > 0 ? g : 0)) });
    }
    const k = Number(words.get("k"));
    if (Number.isInteger(k) && k >= 1 && k <= data.col.log2.length) found.k = k;
    if (data.ties.includes(words.get("ties"))) found.ties = words.get("ties");
    if (["zero", "drop"].includes(words.get("unjudged"))) found.unjudged = words.get("unjudged");
    for (const side of ["a", "b"]) { const s = meta.systems.indexOf(words.get(side)); if (s >= 0) found[side] = s; }
    const q = meta.queries.indexOf(words.get("q"));
    if (q >= 0) found.q = q;
    return Object.assign(state, found);
  }

  /* Who uses which measure. */
  const PRESETS = [
    ["trec_eval", { fam: "log2", par: 1, gain: "linear", ties: "document", unjudged: "zero" }],
    ["TREC web track (gdeval): @20", { fam: "log2", par: 1, gain: "exp", k: 20 }],
    ["LightGBM, XGBoost: 2^grade − 1", { fam: "log2", par: 1, gain: "exp" }],
    ["scikit-learn: ties averaged", { fam: "log2", par: 1, gain: "linear", ties: "mean" }],
    ["one answer, as a voice assistant", { k: 1 }],
    ["a reader in a hurry: RBP 0.5", { fam: "rbp", par: 0.5 }],
    ["a patient reader: RBP 0.95, @100", { fam: "rbp", par: 0.95, k: 100 }],
    ["Zipf's law of clicks", { fam: "zipf", par: 1 }],
    ["a set, not a ranking", { fam: "none", par: 1 }],
    ["condensed lists: unjudged left out", { unjudged: "drop" }],
  ];
  return { setting, same, measure, short, command, toLink, fromLink, PRESETS };
})();
