"use strict";
/* Scores of every system and query under any setting. No DOM: serves the page, its worker and Node. */
const Engine = (() => {
  const TYPES = { int8: Int8Array, uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, float64: Float64Array };

  async function inflate(base64) {
    const text = atob(base64), packed = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  function decode(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
    if (view.getUint32(0, true) !== 0x52474558) throw new Error("not the data of an explorer");
    const size = view.getUint32(4, true), base = (8 + size + 7) & ~7, col = {};
    const meta = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + size)));
    for (const [name, [at, length, type]] of Object.entries(meta.layout)) {
      col[name] = new TYPES[type](bytes.buffer, bytes.byteOffset + base + at, length);
    }
    const S = meta.systems.length, Q = meta.queries.length, G = meta.grades.length;
    const data = { meta, col, S, Q, G, cells: S * Q, variants: new Map(), ...unpacked(col, S * Q) };
    data.missing = new Uint8Array(S * Q);
    for (let c = 0; c < S * Q; c++) data.missing[c] = (col.missing[c >> 3] >> (c & 7)) & 1;
    data.barren = new Uint8Array(Q).fill(1);
    for (let q = 0; q < Q; q++) {
      for (let g = 0; g < G; g++) if (meta.grades[g] > 0 && col.pool[q * G + g]) data.barren[q] = 0;
    }
    return data;
  }

  /* Ranks from their steps, and the ranks that each document's tie group spans. */
  function unpacked(col, cells) {
    const start = new Uint32Array(cells + 1);
    for (let c = 0; c < cells; c++) start[c + 1] = start[c] + col.count[c];
    const hits = start[cells], rank = new Uint32Array(hits), first = new Uint32Array(hits), last = new Uint32Array(hits);
    let open = 0;
    for (let c = 0; c < cells; c++) {
      for (let i = start[c], r = 0; i < start[c + 1]; i++) {
        r += col.rank[i];
        rank[i] = first[i] = last[i] = r;
        if ((col.tied[i >> 3] >> (i & 7)) & 1) {
          first[i] = r - col.before[open];
          last[i] = r + col.after[open++];
        }
      }
    }
    return { start, rank, first, last, tied: open > 0 };
  }

  /* The hits that can gain anything, under a rule for ties and one for unjudged documents; made once. */
  function variant(data, ties, unjudged) {
    const key = `${ties}/${unjudged}`;
    if (!data.variants.has(key)) {
      const settled = cut(data, settle(data, ties));
      data.variants.set(key, gainful(data, unjudged === "drop" ? condensed(data, settled) : settled));
    }
    return data.variants.get(key);
  }

  function settle(data, ties) {
    const { start, cells, first, last, col: { grade } } = data;
    const whole = { start, grade, rank: data.rank, first, last };
    if (ties === "mean") return whole;
    if (ties !== "best" && ties !== "worst") return { ...whole, first: data.rank, last: data.rank };
    const rank = data.rank.slice(), value = grade.slice(), best = ties === "best", relevant = (g) => data.meta.grades[g] > 0;
    for (let c = 0; c < cells; c++) {
      for (let i = start[c], j; i < start[c + 1]; i = j) {
        for (j = i + 1; j < start[c + 1] && first[j] === first[i];) j++;
        if (first[i] === last[i]) continue;
        // Relevant documents fill one end of the span, the others the other; unjudged ones stay between.
        const group = Array.from(grade.subarray(i, j)).sort((a, b) => (best ? b - a : a - b));
        group.forEach((g, n) => {
          value[i + n] = g;
          rank[i + n] = relevant(g) === best ? first[i] + n : last[i] + 1 - (j - i - n);
        });
      }
    }
    return { start, grade: value, rank, first: rank, last: rank };
  }

  /* Lists cut after the depth of the policy. */
  function cut(data, v) {
    const depth = data.meta.policy.depth;
    if (!depth) return v;
    const kept = filtered(data, v, (i) => v.rank[i] <= depth);
    return v.first === v.rank ? kept : { ...kept, last: kept.last.map((l) => Math.min(l, depth)) };
  }

  function filtered(data, v, keep) {
    const start = new Uint32Array(data.cells + 1), rows = new Uint32Array(v.rank.length);
    let kept = 0;
    for (let c = 0; c < data.cells; c++) {
      for (let i = v.start[c]; i < v.start[c + 1]; i++) if (keep(i)) rows[kept++] = i;
      start[c + 1] = kept;
    }
    const pick = (column) => { const part = new column.constructor(kept); for (let i = 0; i < kept; i++) part[i] = column[rows[i]]; return part; };
    const rank = pick(v.rank), settled = v.first === v.rank;
    return { start, grade: pick(v.grade), rank, first: settled ? rank : pick(v.first), last: settled ? rank : pick(v.last) };
  }

  /* Without unjudged documents: ranks count the judged ones. */
  function condensed(data, v) {
    const judged = data.meta.grades[0] < 0 ? filtered(data, v, (i) => v.grade[i] > 0) : v;
    const hits = judged.rank.length, rank = new Uint32Array(hits), first = new Uint32Array(hits), last = new Uint32Array(hits);
    for (let c = 0; c < data.cells; c++) {
      const begin = judged.start[c], end = judged.start[c + 1];
      for (let i = begin, j; i < end; i = j) {
        for (j = i + 1; j < end && judged.first[j] === judged.first[i];) j++;
        for (let h = i; h < j; h++) { rank[h] = h - begin + 1; first[h] = i - begin + 1; last[h] = j - begin; }
      }
    }
    return v.first === v.rank ? { ...judged, rank, first: rank, last: rank } : { ...judged, rank, first, last };
  }

  function gainful(data, v) {
    const kept = filtered(data, v, (i) => data.meta.grades[v.grade[i]] > 0);
    let tied = false;
    for (let i = 0; i < kept.rank.length && !tied; i++) tied = kept.first[i] !== kept.last[i];
    return { ...kept, tied };
  }

  /* The largest attainable DCG of every query; 0 where nothing has gain. */
  function ideals(data, weights, gains, cutoff) {
    const { Q, G, col: { pool } } = data, best = weights.slice(0, cutoff), ideal = new Float64Array(Q);
    for (let r = 1; r < best.length; r++) if (best[r] > best[r - 1]) { best.sort().reverse(); break; }
    const order = [...gains.keys()].sort((a, b) => gains[b] - gains[a] || b - a);
    for (let q = 0; q < Q; q++) {
      let sum = 0, r = 0;
      for (const g of order) for (let n = pool[q * G + g]; n > 0 && r < best.length; n--) sum += gains[g] * best[r++];
      ideal[q] = sum;
    }
    return ideal;
  }

  /* nDCG of these systems under a setting, one row of queries after the other; nan where the policy leaves a cell out. */
  function scores(data, setting, out, systems = null) {
    const { Q, missing, barren, meta: { policy } } = data, v = variant(data, setting.ties, setting.unjudged);
    const weights = Exact.weights(data, setting), gains = Exact.gains(data, setting), cutoff = setting.k;
    const ideal = ideals(data, weights, gains, cutoff), sums = new Float64Array(cutoff + 1);
    for (let r = 1; r <= cutoff; r++) sums[r] = sums[r - 1] + weights[r - 1];
    const rule = policy.undefined ?? policy.own, dropping = policy.undefined === "drop", skips = policy.missing === "drop";
    const count = systems ? systems.length : data.S, { start, rank, first, last, grade, tied } = v;
    for (let row = 0, at = 0; row < count; row++) {
      for (let q = 0, c = (systems ? systems[row] : row) * Q; q < Q; q++, c++, at++) {
        if (skips && missing[c]) { out[at] = NaN; continue; }
        if (ideal[q] === 0 || (dropping && barren[q])) { out[at] = rule === "zero" ? 0 : NaN; continue; }
        let sum = 0;
        for (let i = start[c], end = start[c + 1]; i < end; i++) {
          if (tied && first[i] !== last[i]) {
            const f = first[i], l = last[i];
            if (f <= cutoff) sum += gains[grade[i]] * ((sums[l < cutoff ? l : cutoff] - sums[f - 1]) / (l - f + 1));
          } else if (rank[i] <= cutoff) sum += gains[grade[i]] * weights[rank[i] - 1];
          else if (!tied) break;
        }
        out[at] = sum / ideal[q];
      }
    }
    return out;
  }

  /* The queries on which a setting is undefined for everybody. */
  function undefinedQueries(data, setting) {
    const ideal = ideals(data, Exact.weights(data, setting), Exact.gains(data, setting), setting.k);
    return Uint8Array.from(ideal, (best, q) => (best === 0 || data.barren[q] ? 1 : 0));
  }

  /* Means of rows of scores, rounded once; weighted where queries have weights. */
  function means(data, x, rows = data.S) {
    const { Q, col: { weights } } = data, found = new Float64Array(rows), kept = [], shares = [];
    for (let s = 0; s < rows; s++) {
      let whole = true;
      for (let i = s * Q; i < (s + 1) * Q && whole; i++) whole = x[i] === x[i];
      if (whole && !weights) { found[s] = Exact.fsum(x, s * Q, (s + 1) * Q) / Q; continue; }
      kept.length = shares.length = 0;
      for (let q = 0; q < Q; q++) {
        const value = x[s * Q + q];
        if (value === value) { kept.push(weights ? value * weights[q] : value); shares.push(weights ? weights[q] : 1); }
      }
      const share = weights ? Exact.fsum(shares) : shares.length;
      found[s] = share > 0 ? Exact.fsum(kept) / share : NaN;
    }
    return found;
  }
  return { inflate, decode, variant, scores, undefinedQueries, means };
})();
