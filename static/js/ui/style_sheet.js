/** Loads style sheets that a page does not need at first. */
import { el } from "./dom.js";

/** @type {Map<string, Promise<unknown>>} by address */
const loads = new Map();

/** Load a style sheet, once in a page. @param {URL} address @returns {Promise<unknown>} also if it fails */
export function styleSheet({ href }) {
  const known = loads.get(href);
  if (known !== undefined) return known;
  const sheet = el("link", "");
  sheet.rel = "stylesheet";
  sheet.href = href;
  const loaded = new Promise((resolve) => {
    sheet.addEventListener("load", resolve);
    sheet.addEventListener("error", resolve);
  });
  document.head.append(sheet);
  loads.set(href, loaded);
  return loaded;
}
