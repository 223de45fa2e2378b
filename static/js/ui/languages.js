/**
 * The choice of a language on the settings sheet: the server's form, from a template in the page.
 */
import { el } from "./dom.js";

/**
 * @param {import("../table/names.js").Words} say
 * @returns {HTMLElement[]} nothing on a page without that form
 */
export function languageChoice(say) {
  const template = document.getElementById("languages");
  if (!(template instanceof HTMLTemplateElement)) return [];
  const title = el("h3", "", say.language);
  return [el("section", "sheet-part", title, /** @type {any} */ (template.content.cloneNode(true)))];
}
