/** The yaku and points under the rules of the table, as the server writes them. */
import { el } from "./dom.js";

/**
 * Return a part of the help sheet that loads its content.
 * @param {import("../table/names.js").Words} say
 * @param {string} address of the content; '' at a table without one, such as those of the gallery
 */
export function yakuSheet(say, address) {
  const part = el("div", "yaku-sheet");
  if (address === "") return part;
  const note = el("p", "sheet-note", say.helpLoading);
  note.setAttribute("role", "status");
  part.append(note);
  load(part, address).catch(() => {
    note.textContent = say.helpFailed;
  });
  return part;
}

/** @param {HTMLElement} part @param {string} address */
async function load(part, address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  part.replaceChildren(...page.head.children, ...page.body.children);
}
