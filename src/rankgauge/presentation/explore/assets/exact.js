"use strict";
/* Numbers to the last bit as Python has them: sums that are rounded once, and weights as NumPy computes them. */
const Exact = (() => {
  /* CPython's math.fsum: partial sums that do not overlap, added up from the largest (Shewchuk 1997). */
  function fsum(values, from = 0, to = values.length) {
    const parts = [];
    for (let i = from; i < to; i++) {
      let x = values[i], kept = 0;
      for (let j = 0; j < parts.length; j++) {
        let y = parts[j];
        if (Math.abs(x) < Math.abs(y)) { const other = x; x = y; y = other; }
        const high = x + y, low = y - (high - x);
        if (low !== 0) parts[kept++] = low;
        x = high;
      }
      parts.length = kept;
      parts.push(x);
    }
    let left = parts.length;
    if (!left) return 0;
    let high = parts[--left], low = 0;
    while (left > 0) {
      const x = high, y = parts[--left];
      high = x + y;
      low = y - (high - x);
      if (low !== 0) break;
    }
    // Half-way cases are rounded to even by what lies below them.
    if (left > 0 && ((low < 0 && parts[left - 1] < 0) || (low > 0 && parts[left - 1] > 0))) {
      const twice = low * 2, x = high + twice;
      if (twice === x - high) high = x;
    }
    return high;
  }

  const SPLIT = 134217729;
  /* a·b and its rounding error (Dekker 1971); the same steps as in weights.py. */
  function twoProduct(a, b) {
    const product = a * b, wideA = SPLIT * a, wideB = SPLIT * b;
    const highA = wideA - (wideA - a), highB = wideB - (wideB - b), lowA = a - highA, lowB = b - highB;
    return [product, ((highA * highB - product) + highA * lowB + lowA * highB) + lowA * lowB];
  }
  function product(a, b) {
    let [high, rest] = twoProduct(a[0], b[0]);
    const first = high;
    rest = rest + (a[0] * b[1] + a[1] * b[0]);
    high = first + rest;
    return [high, rest - (high - first)];
  }

  const double = new Float64Array(1), bits = new BigInt64Array(double.buffer);
  function moved(value, units) {
    if (!units) return value;
    double[0] = value;
    bits[0] += BigInt(units);
    return double[0];
  }

  /* rank^-s for s = 0, 0.01, … 3, as rows of one array. */
  function zipfTable(col) {
    const depth = col.log2.length, steps = col.zipf.length / depth, table = new Float64Array(steps * depth);
    for (let r = 0; r < depth; r++) {
      const root = [col.root[r], col.rest[r]], log = r ? 0.6931471805599453 / col.log2[r - 1] : 0;
      let power = [1, 0];
      for (let step = 0; step < steps; step++) {
        if (step) power = product(power, root);
        const [whole, rest] = twoProduct(step / 100, 100), missing = ((step - whole) - rest) / 100;
        table[step * depth + r] = moved(power[0] + (power[1] + power[0] * (missing * log)), col.zipf[step * depth + r]);
      }
    }
    return table;
  }

  /* p^(rank - 1) for p = 0.30, 0.31, … 0.99. */
  function rbpTable(col) {
    const depth = col.log2.length, steps = col.rbp.length / depth, table = new Float64Array(steps * depth);
    for (let step = 0; step < steps; step++) {
      let power = [1, 0];
      for (let r = 0; r < depth; r++) {
        table[step * depth + r] = moved(power[0], col.rbp[step * depth + r]);
        power = product(power, [(step + 30) / 100, 0]);
      }
    }
    return table;
  }

  /* The weights of ranks 1 … depth for a setting {fam, par, own, k}. */
  function weights(data, setting) {
    const { fam, par, k } = setting, depth = data.col.log2.length;
    const row = (table, step) => table.subarray(step * depth, (step + 1) * depth);
    if (fam === "log2") return data.col.log2;
    if (fam === "zipf") return row(data.zipf ??= zipfTable(data.col), Math.round(par * 100));
    if (fam === "rbp") return row(data.rbp ??= rbpTable(data.col), Math.round(par * 100) - 30);
    if (fam === "linear") return Float64Array.from({ length: depth }, (_, r) => Math.max(0, k + 1 - (r + 1)) / k);
    if (fam === "none") return new Float64Array(depth).fill(1);
    return Float64Array.from({ length: depth }, (_, r) => setting.own[r] ?? 0);
  }

  /* The gains of the grades for a setting {gain, gains}. */
  function gains(data, setting) {
    const { grades, exp } = data.meta;
    if (setting.gain === "own") return Float64Array.from(setting.gains);
    return Float64Array.from(setting.gain === "exp" ? exp : grades, (gain) => Math.max(0, gain));
  }
  return { fsum, weights, gains };
})();
