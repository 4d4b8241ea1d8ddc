// A convenience: everything essential is readable without this script.
"use strict";

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows];
      const key = (row) => row.cells[at].dataset.value ?? row.cells[at].textContent.trim();
      rows.sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        const [m, n] = [parseFloat(x), parseFloat(y)];
        const order = Number.isNaN(m) || Number.isNaN(n) ? x.localeCompare(y) : m - n;
        return down ? -order : order;
      });
      table.tBodies[0].append(...rows);
    });
  });
}

// Legends have one column on narrow screens.
const narrow = (part) => {
  if (part === null || typeof part !== "object") return;
  if (part.legend) part.legend.columns = 1;
  Object.values(part).forEach(narrow);
};

const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const views = [];
for (const figure of document.querySelectorAll("figure.chart")) {
  const source = document.getElementById(figure.dataset.spec);
  if (!source || typeof vegaEmbed === "undefined") continue;
  const stage = document.createElement("div");
  figure.append(stage);
  const spec = JSON.parse(source.textContent);
  const ink = getComputedStyle(document.body).color;
  spec.config = { ...spec.config, background: null };
  spec.width = "container";
  if (figure.clientWidth < 600) narrow(spec);
  for (const part of ["axis", "legend", "title", "header"]) {
    spec.config[part] = { ...spec.config[part], labelColor: ink, titleColor: ink, color: ink, subtitleColor: ink };
  }
  vegaEmbed(stage, spec, { ast: true, renderer: "svg", actions: false, tooltip: { theme: dark ? "dark" : "light" } }).then((result) => {
    figure.replaceChildren(stage);
    figure.dataset.live = "yes";
    views.push(result.view);
  }).catch((problem) => console.warn(String(problem)));
}

for (const box of document.querySelectorAll("[data-filter]")) {
  const input = document.createElement("input");
  input.type = "search";
  input.className = "filter";
  input.placeholder = "highlight queries containing …";
  input.setAttribute("aria-label", input.placeholder);
  box.append(input);
  input.addEventListener("input", () => {
    const word = input.value.trim().toLowerCase();
    for (const row of document.querySelectorAll("tr[data-query]")) {
      row.classList.toggle("hit", word !== "" && row.dataset.query.toLowerCase().includes(word));
    }
    for (const view of views) {
      try { view.signal("wanted", word).run(); } catch { /* this chart has no such signal */ }
    }
  });
}
