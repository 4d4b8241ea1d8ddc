"use strict";
/* How far the means can be trusted: intervals, verdicts on pairs, order of the systems, queries needed. */
const Trust = (() => {
  const ROUNDING = 1e-12;

  function logGamma(x) { // Lanczos, g = 7; 15 digits for x >= 1/2
    const c = [676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];
    let sum = 0.99999999999980993;
    for (let i = 0; i < 8; i++) sum += c[i] / (x + i);
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(x + 6.5) - (x + 6.5) + Math.log(sum);
  }
  /* log Γ(a + 1/2) - log Γ(a); for large a as a series, where the difference of two large numbers would lose digits. */
  const halfStep = (a) => (a < 25 ? logGamma(a + 0.5) - logGamma(a) : 0.5 * Math.log(a) - 1 / (8 * a) + 1 / (192 * a ** 3) - 1 / (640 * a ** 5));
  const constants = new Map();

  /* P(|T| > t) of Student's t, from t²: the regularized incomplete beta function by its continued fraction. */
  function tail(squared, freedom) {
    if (!(squared > 0)) return 1;
    if (squared === Infinity) return 0;
    const a = freedom / 2, b = 0.5, x = freedom / (freedom + squared), y = squared / (freedom + squared);
    if (!constants.has(freedom)) constants.set(freedom, halfStep(a) - 0.5 * Math.log(Math.PI));
    const front = Math.exp(constants.get(freedom) + a * Math.log(x) + b * Math.log(y));
    return x < (a + 1) / (a + b + 2) ? (front * fraction(a, b, x)) / a : 1 - (front * fraction(b, a, y)) / b;
  }
  function fraction(a, b, x) {
    const tiny = 1e-300;
    let c = 1, d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny), h = d;
    for (let m = 1; m < 400; m++) {
      let step = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / (1 + step * d || tiny); c = 1 + step / c || tiny; h *= d * c;
      step = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / (1 + step * d || tiny); c = 1 + step / c || tiny;
      h *= d * c;
      if (Math.abs(d * c - 1) < 1e-16) break;
    }
    return h;
  }

  /* t² beyond which a two-sided test has this p-value. */
  const limits = new Map();
  function limit(p, freedom) {
    const key = `${p}/${freedom}`;
    if (!limits.has(key)) {
      let low = 0, high = 1;
      while (tail(high, freedom) > p && high < 1e300) high *= 4;
      for (let i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        const middle = (low + high) / 2;
        if (tail(middle, freedom) > p) low = middle; else high = middle;
      }
      limits.set(key, high);
    }
    return limits.get(key);
  }

  /* Values whose plain means are the weighted ones, each moved by its weight times its distance from them. */
  function linearized(data, x) {
    const { S, Q, col: { weights } } = data;
    if (!weights) return x;
    const moved = new Float64Array(x.length);
    for (let s = 0; s < S; s++) {
      let total = 0, n = 0, mean = 0;
      for (let q = 0; q < Q; q++) if (x[s * Q + q] === x[s * Q + q]) { total += weights[q]; n++; }
      for (let q = 0; q < Q; q++) { const y = x[s * Q + q]; if (y === y) mean += (weights[q] / (total / n)) * y; }
      mean /= n;
      for (let q = 0; q < Q; q++) moved[s * Q + q] = mean + (weights[q] / (total / n)) * (x[s * Q + q] - mean);
    }
    return moved;
  }

  /* Half the width of the t interval of a row; nan for fewer than two queries. */
  function margin(values, from, to, confidence) {
    let n = 0, sum = 0, squares = 0;
    for (let i = from; i < to; i++) if (values[i] === values[i]) { n++; sum += values[i]; }
    if (n < 2) return NaN;
    for (let i = from; i < to; i++) if (values[i] === values[i]) squares += (values[i] - sum / n) ** 2;
    return Math.sqrt((limit(1 - confidence, n - 1) * squares) / (n - 1) / n);
  }

  function intervals(data, x) {
    const values = linearized(data, x), { S, Q, meta: { confidence } } = data;
    return Float64Array.from({ length: S }, (_, s) => margin(values, s * Q, (s + 1) * Q, confidence));
  }

  /* THE RULE of `compare --all-pairs --test t --correction holm`. A pair is separated where its
     adjusted p-value is below 1 - confidence; a system could be first where no other one is found better. */
  function verdicts(data, x) {
    const { S, Q, meta: { confidence } } = data, values = linearized(data, x), alpha = 1 - confidence;
    const pairs = (S * (S - 1)) / 2, squared = new Float64Array(pairs), freedom = new Uint32Array(pairs), sign = new Int8Array(pairs);
    let tested = 0;
    for (let a = 0, i = 0; a < S; a++) for (let b = a + 1; b < S; b++, i++) {
      const t = paired(values, a * Q, b * Q, Q);
      squared[i] = t.squared; freedom[i] = t.n > 0 ? t.n - 1 : 0; sign[i] = Math.sign(t.mean);
      if (t.n > 1) tested++;
    }
    const apart = holm(squared, freedom, tested, alpha), beaten = new Uint8Array(S), better = new Int8Array(S * S);
    let told = 0;
    for (let a = 0, i = 0; a < S; a++) for (let b = a + 1; b < S; b++, i++) {
      if (!apart[i] || !sign[i]) continue;
      told++;
      beaten[sign[i] > 0 ? b : a] = 1;
      better[a * S + b] = sign[i]; better[b * S + a] = -sign[i];
    }
    return { told, pairs, better, first: Uint8Array.from(beaten, (lost) => (lost ? 0 : 1)) };
  }

  function paired(values, i, j, Q) {
    let n = 0, sum = 0, squares = 0;
    for (let q = 0; q < Q; q++) {
      const e = values[i + q] - values[j + q];
      if (e === e) { n++; sum += e; squares += e * e; }
    }
    if (n < 2) return { n, mean: sum, squared: NaN };
    const mean = sum / n;
    let spread = squares - n * mean * mean;
    if (spread < 1e-9 * squares) { // too much was lost in the subtraction
      let largest = 0;
      spread = 0;
      for (let q = 0; q < Q; q++) {
        const e = values[i + q] - values[j + q];
        if (e === e) { spread += (e - mean) ** 2; largest = Math.max(largest, Math.abs(e)); }
      }
      if (Math.sqrt(spread / (n - 1)) <= ROUNDING * largest) spread = 0;
    }
    return { n, mean, squared: mean === 0 ? 0 : (mean * mean * n * (n - 1)) / spread };
  }

  /* Holm's step-down test: p-values are needed only between the strictest and the loosest level. */
  function holm(squared, freedom, tested, alpha) {
    const apart = new Uint8Array(squared.length), near = [];
    let sure = 0, free = 0, loosest = 0, strictest = 0;
    for (let i = 0; i < squared.length; i++) {
      if (!(squared[i] > 0) || freedom[i] < 1) continue;
      if (freedom[i] !== free) {
        free = freedom[i];
        loosest = limit(alpha, free) * (1 - 1e-9);
        strictest = limit(alpha / tested, free) * (1 + 1e-9);
      }
      if (squared[i] < loosest) continue;
      if (squared[i] < Infinity && squared[i] > strictest) { apart[i] = 1; sure++; continue; }
      // Equal differences have no variance; no exact test on n queries goes below 2^(1-n).
      near.push([squared[i] === Infinity ? 2 ** -Math.min(freedom[i], 999) : tail(squared[i], freedom[i]), i]);
    }
    near.sort((a, b) => a[0] - b[0]);
    for (const [p, i] of near) {
      if (!(p * (tested - sure) < alpha)) break;
      apart[i] = 1; sure++;
    }
    return apart;
  }

  /* A system against another, query by query; differences by rounding alone are ties. */
  function pair(data, x, a, b) {
    const { Q, meta: { confidence } } = data, values = linearized(data, x), diff = new Float64Array(Q);
    let wins = 0, losses = 0, n = 0;
    for (let q = 0; q < Q; q++) {
      const p = x[a * Q + q], r = x[b * Q + q], e = p - r;
      diff[q] = Math.abs(e) <= ROUNDING * Math.max(Math.abs(p), Math.abs(r)) ? 0 : e;
      if (e === e) n++;
      if (diff[q] > 0) wins++; else if (diff[q] < 0) losses++;
    }
    const moved = values === x ? diff : Float64Array.from(diff, (_, q) => values[a * Q + q] - values[b * Q + q]);
    let mean = 0;
    for (let q = 0; q < Q; q++) if (moved[q] === moved[q]) mean += moved[q] / n;
    const half = margin(moved, 0, Q, confidence);
    return { diff, mean, low: mean - half, high: mean + half, wins, losses, ties: n - wins - losses, n };
  }

  /* Places, 1 for the best; means that differ by rounding alone share the better place, nan comes last. */
  function ranks(means) {
    const known = Float64Array.from(means, (m) => (m === m ? m : -Infinity));
    const order = [...known.keys()].sort((a, b) => known[b] - known[a] || a - b), rank = new Int32Array(known.length);
    order.forEach((s, at) => {
      const above = order[at - 1];
      rank[s] = at && !(known[above] - known[s] > ROUNDING * Math.abs(known[above])) ? rank[above] : at + 1;
    });
    return { order, rank };
  }

  function levels(means) {
    const order = [...means.keys()].sort((a, b) => means[a] - means[b] || a - b), level = new Int32Array(means.length);
    const largest = means.reduce((most, m) => Math.max(most, Math.abs(m)), 0);
    order.forEach((s, at) => { level[s] = at ? level[order[at - 1]] + (means[s] - means[order[at - 1]] > ROUNDING * largest ? 1 : 0) : 0; });
    return level;
  }

  /* Kendall's τ-b and τ_AP of an order with a reference. */
  function agreement(reference, estimate) {
    const x = levels(reference), y = levels(estimate), n = x.length;
    let agree = 0, tiedX = 0, tiedY = 0, shares = 0, counted = 0;
    for (let i = 0; i < n; i++) {
      let above = 0, both = 0;
      for (let j = 0; j < n; j++) {
        if (j > i) { agree += Math.sign(x[i] - x[j]) * Math.sign(y[i] - y[j]); tiedX += x[i] === x[j]; tiedY += y[i] === y[j]; }
        if (y[j] > y[i]) { above++; if (x[j] > x[i]) both++; }
      }
      if (above) { shares += both / above; counted++; }
    }
    const all = (n * (n - 1)) / 2, untied = Math.sqrt((all - tiedX) * (all - tiedY));
    return { tau: untied ? agree / untied : NaN, tauAP: counted ? (2 * shares) / counted - 1 : NaN };
  }

  /* Φ and the queries for a target, on the queries that every system has a score for. */
  function dependability(data, x, left = null) {
    const { S, Q } = data, kept = [];
    for (let q = 0; q < Q; q++) {
      let whole = !(left && left[q]);
      for (let s = 0; s < S && whole; s++) whole = x[s * Q + q] === x[s * Q + q];
      if (whole) kept.push(q);
    }
    const n = kept.length, system = new Float64Array(S), query = new Float64Array(n);
    if (S < 2 || n < 2) return { phi: NaN, queries: n, need: () => NaN };
    let grand = 0, largest = 0;
    for (let s = 0; s < S; s++) for (let i = 0; i < n; i++) {
      const y = x[s * Q + kept[i]];
      system[s] += y / n; query[i] += y / S; largest = Math.max(largest, Math.abs(y));
    }
    for (const m of system) grand += m / S;
    let ss = 0, sq = 0, se = 0;
    for (const m of system) ss += (m - grand) ** 2;
    for (const m of query) sq += (m - grand) ** 2;
    for (let s = 0; s < S; s++) for (let i = 0; i < n; i++) se += (x[s * Q + kept[i]] - system[s] - query[i] + grand) ** 2;
    const floor = Math.max(S, n) * (ROUNDING * largest) ** 2, real = (square) => (square <= floor ? 0 : square);
    const apart = (square, noise) => (Math.abs(square - noise) <= ROUNDING * (square + noise) ? 0 : square - noise);
    const residual = real(se / ((S - 1) * (n - 1)));
    const signal = Math.max(0, apart(real((n * ss) / (S - 1)), residual) / n);
    const noise = Math.max(0, apart(real((S * sq) / (n - 1)), residual) / S) + residual;
    const ratio = signal <= 0 ? 0 : noise > 0 ? signal / noise : Infinity;
    const need = (target) => (ratio > 0 ? Math.max(1, Math.ceil(target / (1 - target) / ratio - 1e-9)) : Infinity);
    return { phi: ratio === Infinity ? 1 : (n * ratio) / (1 + n * ratio), queries: n, need };
  }
  return { intervals, verdicts, pair, ranks, agreement, dependability, tail, limit };
})();
