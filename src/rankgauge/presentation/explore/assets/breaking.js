"use strict";
/* What it takes to overturn a pair: corners of the family of measures, and the mildest change of one setting. */
const Breaking = (() => {
  const ROUNDING = 1e-12;

  /* The sign of the difference of two systems' means under a setting, 0 where they differ by rounding alone. */
  function lead(data, setting, a, b) {
    const x = Engine.scores(data, setting, new Float64Array(2 * data.Q), [a, b]), [p, r] = Engine.means(data, x, 2);
    return Math.abs(p - r) <= ROUNDING * Math.max(Math.abs(p), Math.abs(r)) ? 0 : Math.sign(p - r);
  }

  /* Mean differences at the corners: only the first k ranks count, all the same, and only grades from j on. */
  function corners(data, setting, a, b) {
    const { grades } = data.meta, thresholds = grades.map((_, g) => g).filter((g) => grades[g] > 0), table = [];
    for (const j of thresholds) {
      const row = new Float64Array(setting.k);
      for (let k = 1; k <= setting.k; k++) {
        const x = Engine.scores(data, corner(data, setting, k, j), new Float64Array(2 * data.Q), [a, b]);
        const [p, r] = Engine.means(data, x, 2);
        row[k - 1] = Math.abs(p - r) <= ROUNDING * Math.max(Math.abs(p), Math.abs(r)) ? 0 : p - r;
      }
      table.push({ grade: grades[j], code: j, row });
    }
    return table;
  }
  function corner(data, setting, k, j) {
    return { ...setting, fam: "none", gain: "own", gains: data.meta.grades.map((_, g) => (g >= j ? 1 : 0)), k };
  }

  /* Documents of grade j or more in the first k ranks, over all queries: systems × grades × ranks. Every DCG with
     weights that never rise and gains that never fall is a mixture of these, so their order decides it exactly. */
  function staircase(data, setting) {
    const { S, Q, G } = data, depth = data.col.log2.length, counts = new Float64Array(S * G * depth);
    const v = Engine.variant(data, setting.ties, setting.unjudged);
    for (let s = 0; s < S; s++) {
      for (let c = s * Q; c < (s + 1) * Q; c++) for (let i = v.start[c]; i < v.start[c + 1]; i++) {
        const share = 1 / (v.last[i] - v.first[i] + 1);
        for (let r = v.first[i]; r <= Math.min(v.last[i], depth); r++) for (let g = 1; g <= v.grade[i]; g++) counts[(s * G + g) * depth + r - 1] += share;
      }
      for (let g = 1; g < G; g++) for (let r = 1, at = (s * G + g) * depth; r < depth; r++) counts[at + r] += counts[at + r - 1];
    }
    return counts;
  }

  /* How many pairs keep their order under every DCG of the family, down to a cutoff. */
  function dominated(data, counts, cutoff) {
    const { S, G } = data, depth = data.col.log2.length;
    let pairs = 0;
    for (let a = 0; a < S; a++) for (let b = a + 1; b < S; b++) {
      let up = false, down = false;
      for (let g = 1; g < G && !(up && down); g++) for (let r = 0; r < cutoff; r++) {
        const e = counts[(a * G + g) * depth + r] - counts[(b * G + g) * depth + r];
        if (e > 1e-9) up = true; else if (e < -1e-9) down = true;
      }
      if (!(up && down)) pairs++;
    }
    return pairs;
  }

  /* All settings that differ from this one in one respect, along paths that lead away from it. */
  function paths(data, setting) {
    const grid = (fam, from, to) => ({
      kind: fam, at: setting.fam === fam ? Math.round(setting.par * 100) : nearest(data, setting, fam, from, to), from, to,
      own: setting.fam === fam, setting: (step) => ({ ...setting, fam, par: step / 100 }),
    });
    const found = [grid("zipf", 0, 300), grid("rbp", 30, 99)];
    found.push({ kind: "cutoff", at: setting.k, from: 1, to: data.col.log2.length, own: true, setting: (k) => ({ ...setting, k }) });
    const one = (kind, other) => found.push({ kind, at: 0, from: 0, to: 0, own: false, setting: () => ({ ...setting, ...other }) });
    for (const fam of ["log2", "linear", "none"]) if (fam !== setting.fam) one(fam, { fam, par: 1 });
    const { grades, exp } = data.meta;
    if (grades.filter((g) => g > 0).length > 1) {
      const power = (step) => ({ ...setting, gain: "own", gains: grades.map((g) => (g > 0 ? g ** (step / 10) : 0)) });
      found.push({ kind: "power", at: 10, from: 1, to: 60, own: setting.gain === "linear", setting: power });
      if (exp && setting.gain !== "exp") one("exp", { gain: "exp" });
    }
    if (data.tied) for (const ties of data.ties) if (ties !== setting.ties) one(`ties ${ties}`, { ties });
    for (const unjudged of ["zero", "drop"]) if (unjudged !== setting.unjudged) one(`unjudged ${unjudged}`, { unjudged });
    return found;
  }

  /* The step of a family whose weights, as shares of the first, are nearest to those in force. */
  function nearest(data, setting, fam, from, to) {
    const now = Exact.weights(data, setting);
    let best = from, least = Infinity;
    for (let step = from; step <= to; step++) {
      const w = Exact.weights(data, { ...setting, fam, par: step / 100 });
      let apart = 0;
      for (let r = 0; r < setting.k; r++) apart += Math.abs(w[r] / w[0] - now[r] / (now[0] || 1));
      if (apart < least) { least = apart; best = step; }
    }
    return best;
  }

  /* Every path on which the pair turns round, with the nearest point where it does, the mildest first: the change that
     moves the scores of all systems least (root mean square). Empty where none of these changes does it. */
  function ways(data, setting, a, b) {
    const now = lead(data, setting, a, b);
    if (!now) return [];
    const before = Engine.scores(data, setting, new Float64Array(data.cells)), after = new Float64Array(data.cells), found = [];
    for (const path of paths(data, setting)) {
      for (const way of path.from === path.to ? [1] : [1, -1]) {
        const begin = path.own ? path.at + way : path.at;
        for (let step = begin; step >= path.from && step <= path.to; step += way) {
          const changed = path.setting(step);
          if (lead(data, changed, a, b) !== -now) continue;
          Engine.scores(data, changed, after);
          found.push({ kind: path.kind, step, way, setting: changed, moved: distance(before, after) });
          break;
        }
        if (!path.own && found.length && found.at(-1).kind === path.kind && found.at(-1).step === path.at) break;
      }
    }
    return found.sort((p, r) => p.moved - r.moved);
  }
  function distance(x, y) {
    let sum = 0, n = 0;
    for (let i = 0; i < x.length; i++) { const e = x[i] - y[i]; if (e === e) { sum += e * e; n++; } }
    return Math.sqrt(sum / n);
  }
  return { lead, corners, corner, staircase, dominated, ways };
})();
