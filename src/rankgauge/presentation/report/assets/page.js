// A convenience: everything essential is readable without this script.
"use strict";

// Tables sort by their heads, first in the direction that is useful.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => {
    if (head.tagName !== "TH") return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = head.dataset.first || (head.classList.contains("number") ? "descending" : "ascending");
      const other = first === "descending" ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      // Bars that join neighbors mean nothing in another order.
      table.classList.add("resorted");
      const key = (row) => row.cells[at].dataset.value ?? row.cells[at].textContent.trim();
      const rows = [...table.tBodies[0].rows].map((row) => [row, key(row)]);
      rows.sort(([, x], [, y]) => {
        if (!x || !y) return !x - !y; // empty cells come last
        const [m, n] = [Number(x), Number(y)];
        const sign = Number.isNaN(m) || Number.isNaN(n) ? x.localeCompare(y) : m - n;
        return order === "descending" ? -sign : sign;
      });
      table.tBodies[0].append(...rows.map(([row]) => row));
    });
  });
}

// A crowd shows its first rows and the baseline, the others on request.
for (const table of document.querySelectorAll("table.crowd")) {
  const later = table.querySelectorAll("tr.later");
  if (!later.length) continue;
  table.classList.add("folded");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "more";
  const named = () => { button.textContent = table.classList.contains("folded") ? `Show all ${table.tBodies[0].rows.length} systems` : "Show fewer systems"; };
  button.addEventListener("click", () => { table.classList.toggle("folded"); named(); });
  named();
  table.closest(".scroll").after(button);
}

// Of several measures one is seen at a time.
for (const group of document.querySelectorAll("[data-switch]")) {
  const parts = [...group.querySelectorAll(":scope > .choice")];
  const bar = document.createElement("div");
  bar.className = "switch";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", group.dataset.switch);
  const show = (chosen) => parts.forEach((part, at) => {
    part.hidden = part !== chosen;
    bar.children[at].setAttribute("aria-pressed", String(part === chosen));
  });
  for (const part of parts) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = part.dataset.choice;
    button.addEventListener("click", () => show(part));
    bar.append(button);
  }
  group.prepend(bar);
  show(parts[0]);
}

// A link into a folded section opens it; paper has no folds.
const unfold = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const inside = target.querySelector(":scope > details");
  if (inside) inside.open = true;
  for (let outer = target.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", unfold);
unfold();
addEventListener("beforeprint", () => document.querySelectorAll("main > section > details").forEach((part) => { part.open = true; }));
// What scrolls sideways can be reached by the keyboard.
for (const box of document.querySelectorAll(".scroll, figure.chart, p.command")) if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
