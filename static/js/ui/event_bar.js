/**
 * The latest events of a hand, for spectators: calls, riichi, wins and draws in words, with the turn
 * of a riichi or a win. A press on an event shows its position. A note says which hands spectators
 * see.
 *
 * @import { Words } from "../table/names.js"
 * @import { TableEvent, View } from "../table/types.js"
 */
import { announcement } from "../table/announcements.js";
import { turnOf } from "../table/turns.js";
import { button, el } from "./dom.js";

const KEPT = 4;
/** Events that the board shows well enough by itself. */
const PLAIN = new Set(["dahai", "dora", "end_game", "away"]);

export class EventBar {
  #list = el("ol", "event-list");

  /**
   * @param {HTMLElement} root the table, with the note in `data-watch-note`
   * @param {Words} say
   * @param {(at: number) => void} goTo a position
   */
  constructor(root, say, goTo) {
    this.say = say;
    this.goTo = goTo;
    const bar = el("section", "event-bar", el("p", "event-note", root.dataset.watchNote ?? ""), this.#list);
    bar.setAttribute("aria-label", say.events);
    root.querySelector(".action-area")?.prepend(bar);
  }

  /**
   * @param {TableEvent} event
   * @param {View} view after the event
   * @param {number} at the position of the event
   */
  add(event, view, at) {
    const { say } = this;
    const text = announcement(event, view, null, say);
    if (text === "" || PLAIN.has(event.type)) return;
    if (event.type === "start_kyoku") this.#list.replaceChildren();
    const turn = turnOf(event, view);
    const words = turn === null ? text : `${text} · ${say.turnOf(turn)}`;
    this.#list.prepend(
      el(
        "li",
        `event-bar-${event.type}`,
        button("event-link", () => this.goTo(at), words),
      ),
    );
    while (this.#list.childElementCount > KEPT) this.#list.lastElementChild?.remove();
  }
}
