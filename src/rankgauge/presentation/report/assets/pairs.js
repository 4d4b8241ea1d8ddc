// Any two systems, every query: computed from the scores that the page carries.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const host = document.getElementById("pairs");
  if (!host) return;
  const floats = (text) => new Float64Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
  const [one, many] = data.nouns;
  const values = floats(data.values), numbers = floats(data.pairs.numbers), count = data.queries.length;
  const VERDICTS = ["undecided", "better", "worse", "equivalent"], TURNED = [0, 2, 1, 3];
  const compared = new Map(), alone = data.systems.length < 2;
  for (let at = 0; at < data.pairs.verdicts.length; at += 1) {
    const [system, baseline] = data.pairs.which.slice(2 * at, 2 * at + 2);
    const [low, high, p] = numbers.subarray(3 * at, 3 * at + 3), verdict = Number(data.pairs.verdicts[at]);
    const bound = data.pairs.bounds[at] === "1";
    compared.set(`${system} ${baseline}`, { low, high, p, bound, verdict });
    compared.set(`${baseline} ${system}`, { low: -high, high: -low, p, bound, verdict: TURNED[verdict] });
  }
  const signed = (x, digits = 4) => (x < 0 ? "−" : "+") + Math.abs(x).toFixed(digits);
  const made = (tag, settings = {}, ...inside) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(settings)) if (name === "text") element.textContent = value; else element.setAttribute(name, value);
    element.append(...inside);
    return element;
  };
  const lists = new Map([...document.querySelectorAll("#lists article")].map((part) => [part.dataset.query, part.id]));
  const chosen = { a: 0, b: 1 };
  const first = [...host.childNodes];

  const picker = (side, words) => {
    const select = made("select", { "aria-label": words }, ...data.systems.map((name, at) => made("option", { value: at, text: name })));
    select.value = chosen[side];
    select.addEventListener("change", () => { chosen[side] = Number(select.value); draw(); });
    return select;
  };
  const sentence = made("p", { class: "pair-sentence", "aria-live": "polite" });
  const chart = made("div");
  const search = made("input", { type: "search", class: "filter", placeholder: `search all ${many} …`, "aria-label": `search all ${many}` });
  const found = made("div", { class: "found" });
  const save = made("button", { type: "button", text: "Download scores (CSV)" });
  const choice = made("p", { class: "choose" }, made("label", { text: "Compare " }), picker("a", "first system"), made("span", { text: " with " }), picker("b", "second system"), " ", save);
  chart.append(...first);
  host.append(...(data.systems.length > 2 ? [choice] : [made("p", { class: "choose" }, save)]), sentence, chart, search, found);

  const differences = () => data.queries.map((query, at) => ({ query, text: data.texts[at] ?? "", mine: values[chosen.a * count + at], other: alone ? 0 : values[chosen.b * count + at] }))
    .map((row) => ({ ...row, change: row.mine - row.other })).filter((row) => !Number.isNaN(row.change))
    .sort((p, r) => r.change - p.change || (p.query < r.query ? -1 : 1));
  const asked = () => chosen.a === 0 && chosen.b === 1;

  function say(rows) {
    const sum = rows.reduce((total, row) => total + row.change, 0), wins = rows.filter((row) => row.change > 0).length, losses = rows.filter((row) => row.change < 0).length;
    const known = compared.get(`${chosen.a} ${chosen.b}`);
    let text = `${data.systems[chosen.a]} − ${data.systems[chosen.b]}: ${signed(sum / rows.length)} ${data.measure}, ${wins} wins, ${rows.length - wins - losses} ties, ${losses} losses`;
    if (known) text += `; ${VERDICTS[known.verdict]} (interval ${signed(known.low)} to ${signed(known.high)}, adjusted p ${known.p < 0.0001 ? "< 0.0001" : `${known.bound ? "≤" : "="} ${known.p.toFixed(4)}`})`;
    else text += "; not tested here: name one of them with --baseline";
    sentence.textContent = `${text}.`;
    sentence.hidden = asked() || alone;
  }

  // Bars of another pair have the look of the first.
  function bars(rows) {
    const space = "http://www.w3.org/2000/svg", svg = document.createElementNS(space, "svg"), wide = 960, tall = 230, left = 8;
    svg.setAttribute("viewBox", `0 0 ${wide} ${tall}`); svg.setAttribute("class", "drawn"); svg.setAttribute("role", "img"); svg.setAttribute("aria-label", sentence.textContent);
    const high = Math.max(0, ...rows.map((row) => row.change)), low = Math.min(0, ...rows.map((row) => row.change)), scale = (tall - 20) / (high - low || 1), step = (wide - 2 * left) / rows.length;
    rows.forEach((row, at) => {
      const bar = document.createElementNS(space, "rect"), title = document.createElementNS(space, "title");
      const y = 10 + (high - Math.max(row.change, 0)) * scale;
      for (const [name, value] of Object.entries({ x: left + at * step, y, width: Math.max(step * 0.85, 0.5), height: Math.abs(row.change) * scale, class: row.change > 0 ? "up" : row.change < 0 ? "down" : "even" })) bar.setAttribute(name, value);
      title.textContent = `${row.query}${row.text ? `: ${row.text}` : ""} ${signed(row.change)}`;
      bar.append(title); svg.append(bar);
    });
    return made("figure", { class: "chart" }, svg);
  }

  const MOST = 40;
  function list(rows) {
    const word = search.value.trim().toLowerCase();
    const hits = word ? rows.filter((row) => `${row.query} ${row.text}`.toLowerCase().includes(word)) : [];
    chart.querySelectorAll("rect > title").forEach((title) => title.parentNode.classList.toggle("faded", word !== "" && !title.textContent.toLowerCase().includes(word)));
    document.querySelectorAll("#changes tr[data-query]").forEach((row) => row.classList.toggle("hit", word !== "" && row.dataset.query.toLowerCase().includes(word)));
    found.replaceChildren();
    if (!word) return;
    found.append(made("p", { class: "hint", text: hits.length > MOST ? `${hits.length} ${many}, the first ${MOST} of them:` : `${hits.length} ${hits.length === 1 ? one : many}` }));
    if (!hits.length) return;
    const names = alone ? [] : [data.systems[chosen.a], data.systems[chosen.b]];
    const head = made("tr", {}, ...[alone ? data.measure : "Δ", one, ...(data.texts.length ? ["text"] : []), ...names].map((name) => made("th", { scope: "col", text: name })));
    const body = made("tbody", {}, ...hits.slice(0, MOST).map((row) => {
      const name = asked() && lists.has(row.query) ? made("a", { href: `#${lists.get(row.query)}`, text: row.query }) : made("span", { text: row.query });
      const both = alone ? [] : [row.mine, row.other].map((value) => made("td", { text: value.toFixed(4) }));
      return made("tr", {}, made("td", { text: alone ? row.mine.toFixed(4) : signed(row.change) }), made("td", {}, name), ...(data.texts.length ? [made("td", { text: row.text })] : []), ...both);
    }));
    found.append(made("div", { class: "scroll" }, made("table", {}, made("thead", {}, head), body)));
  }

  let rows = [];
  function draw() {
    rows = differences();
    say(rows);
    document.querySelectorAll("#changes .columns, #lists").forEach((part) => { part.hidden = !asked(); });
    chart.replaceChildren(...(asked() ? first : data.bars ? [bars(rows)] : []));
    list(rows);
  }
  search.addEventListener("input", () => list(rows));

  // A bar leads to the rankings of its query.
  chart.addEventListener("click", (event) => {
    const title = event.target.closest("rect")?.querySelector("title")?.textContent ?? "";
    for (const [query, id] of lists) if (asked() && (title.startsWith(`${query}: `) || title.startsWith(`${query} `))) location.hash = id;
  });

  save.addEventListener("click", () => {
    const quoted = (text) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
    const lines = [["query", ...data.systems].map(quoted).join(",")];
    data.queries.forEach((query, at) => lines.push([quoted(query), ...data.systems.map((_, system) => { const value = values[system * count + at]; return Number.isNaN(value) ? "" : value; })].join(",")));
    const link = made("a", { download: "scores.csv", href: URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "text/csv" })) });
    link.click();
    URL.revokeObjectURL(link.href);
  });
  draw();
})();
