/**
 * Keeps the events and views that a spectator has received of a running table. The bar that steps
 * through them (`replay/past.js`) is loaded when the spectator first looks back.
 *
 * @import { Words } from "./table/names.js"
 * @import { TableEvent, View } from "./table/types.js"
 * @import { Past, PastCommand } from "./replay/past.js"
 */
import { button, hide, keyTarget } from "./ui/dom.js";

/** Keys that begin to look back. @type {Record<string, PastCommand>} */
const KEYS = { ArrowLeft: "eventBack", PageUp: "handBack", Home: "first" };

export class LookBack {
  /** Events with the views after them, until the bar is loaded; null for a `sync`. @type {[TableEvent | null, View][]} */
  #seen = [];
  /** @type {Past | null} */
  #past = null;
  /** @type {Promise<Past> | null} */
  #loading = null;
  /** @type {HTMLButtonElement | null} */
  #button = null;
  /** The number of positions that have been kept. */
  #count = 0;

  /**
   * @param {HTMLElement} root the table, with the address of the style in `data-look-back`
   * @param {Words} say
   * @param {(event: TableEvent | null) => void} redraw with the event to announce; null if live
   */
  constructor(root, say, redraw) {
    this.root = root;
    this.say = say;
    this.redraw = redraw;
  }

  /**
   * @param {TableEvent | null} event null for the view of a `sync`
   * @param {View} view
   * @returns {number} its position
   */
  keep(event, view) {
    if (this.#past !== null) this.#past.append(event, view);
    else this.#seen.push([event, view]);
    if (this.#button === null) this.#offer();
    return this.#count++;
  }

  /** @param {number} at a position */
  async goTo(at) {
    this.#loading ??= this.#load();
    (await this.#loading).goTo(at);
  }

  get isLive() {
    return this.#past?.isLive ?? true;
  }

  /** The earlier view that is shown; null while the page is live. @returns {View | null} */
  get shown() {
    return this.#past?.shown ?? null;
  }

  #offer() {
    const { say } = this;
    this.#button = button("button button--quiet", () => this.#begin("eventBack"), say.past.controls);
    this.root.querySelector(".action-area")?.append(this.#button);
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (this.#past !== null) return;
      const command = KEYS[event.key];
      if (command === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const target = keyTarget(event);
      if (target.closest("input, select, textarea, dialog, .chat")) return;
      event.preventDefault();
      event.stopPropagation(); // otherwise the arrow keys also move the focus along the hand
      this.#begin(command);
    };
    document.addEventListener("keydown", onKey, { capture: true });
  }

  /** @param {PastCommand} command */
  async #begin(command) {
    this.#loading ??= this.#load();
    (await this.#loading).press(command);
  }

  async #load() {
    const { Past } = await import("./replay/past.js");
    const past = new Past(this.root, this.say, this.redraw);
    for (const [event, view] of this.#seen.splice(0)) past.append(event, view);
    this.#past = past;
    if (this.#button !== null) hide(this.#button, true);
    return past;
  }
}
