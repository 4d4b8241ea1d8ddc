"use strict";
/* Elements made and changed; text is only ever set as text. */
const Dom = (() => {
  const find = (selector, inside = document) => inside.querySelector(selector);
  const known = new WeakMap();
  function put(element, name, value) { // only what changes is written
    const text = String(value), before = known.get(element) ?? known.set(element, new Map()).get(element);
    if (before.get(name) === text) return;
    before.set(name, text);
    if (name === "text") element.textContent = text; else element.setAttribute(name, text);
  }
  function made(element, settings, inside) {
    for (const [name, value] of Object.entries(settings)) if (name === "text") element.textContent = value; else element.setAttribute(name, value);
    element.append(...inside);
    return element;
  }
  const svg = (tag, settings = {}, ...inside) => made(document.createElementNS("http://www.w3.org/2000/svg", tag), settings, inside);
  const html = (tag, settings = {}, ...inside) => made(document.createElement(tag), settings, inside);
  const signed = (x, digits = 4) => (x < 0 ? "−" : "+") + Math.abs(x).toFixed(digits);
  const share = (part, all) => (all ? `${((100 * part) / all).toFixed(0)}%` : "–");
  const count = (n) => (Number.isFinite(n) ? n.toLocaleString("en") : Number.isNaN(n) ? "–" : "∞");
  /* Arrow keys move the focus along a row or column of elements, of which one is reached by Tab. */
  function roving(host, selector, keys) {
    host.addEventListener("keydown", (event) => {
      const here = event.target.closest(selector), step = keys[event.key];
      if (!here || !step) return;
      const all = [...host.querySelectorAll(selector)].sort((p, r) => Number(p.dataset.at) - Number(r.dataset.at));
      const next = all[all.indexOf(here) + step];
      if (!next) return;
      event.preventDefault();
      here.setAttribute("tabindex", -1); next.setAttribute("tabindex", 0);
      known.get(here)?.delete("tabindex"); known.get(next)?.delete("tabindex");
      next.focus();
    });
  }
  return { find, put, svg, html, signed, share, count, roving };
})();
