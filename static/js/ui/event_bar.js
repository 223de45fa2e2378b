/**
 * The latest events of a hand, for spectators: calls, riichi, wins and draws in words. The log of
 * `Live` tells screen readers the same.
 *
 * @import { TableEvent } from "../table/types.js"
 */
import { el } from "./dom.js";

const KEPT = 4;
/** Events that the board shows well enough by itself. */
const PLAIN = new Set(["dahai", "dora", "end_game", "away"]);

export class EventBar {
  #list = el("ol", "event-bar");

  /** @param {HTMLElement} root the table */
  constructor(root) {
    this.#list.setAttribute("aria-hidden", "true");
    root.querySelector(".asks")?.prepend(this.#list);
  }

  /** @param {TableEvent} event @param {string} text its announcement; nothing is shown if empty */
  add({ type }, text) {
    if (text === "" || PLAIN.has(type)) return;
    if (type === "start_kyoku") this.clear();
    this.#list.prepend(el("li", `event-bar-${type}`, text));
    while (this.#list.childElementCount > KEPT) this.#list.lastElementChild?.remove();
  }

  clear() {
    this.#list.replaceChildren();
  }
}
