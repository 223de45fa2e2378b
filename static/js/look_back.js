/**
 * Keeps the events and views that a spectator has received of a running table. The bar that steps
 * through them (`replay/look_back_bar.js`) is loaded when the spectator first looks back.
 *
 * @import { Words } from "./table/names.js"
 * @import { TableEvent, View } from "./table/types.js"
 * @import { LookBackBar, LookBackCommand } from "./replay/look_back_bar.js"
 */
import { button, hide, keyTarget } from "./ui/dom.js";

/** Keys that begin to look back. @type {Record<string, LookBackCommand>} */
const KEYS = { ArrowLeft: "eventBack", PageUp: "handBack", Home: "first" };

export class LookBack {
  /**
   * Events with the views after them, until the bar is loaded; null for a `sync`.
   *
   * @type {[TableEvent | null, View][]}
   */
  #kept = [];
  /** @type {LookBackBar | null} */
  #bar = null;
  /** @type {Promise<LookBackBar> | null} */
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
    if (this.#bar !== null) this.#bar.append(event, view);
    else this.#kept.push([event, view]);
    if (this.#button === null) this.#addButton();
    return this.#count++;
  }

  /** @param {number} at a position */
  async goTo(at) {
    this.#loading ??= this.#load();
    (await this.#loading).goTo(at);
  }

  get isLive() {
    return this.#bar?.isLive ?? true;
  }

  /** The earlier view that is shown; null while the page is live. @returns {View | null} */
  get shownView() {
    return this.#bar?.shownView ?? null;
  }

  #addButton() {
    const { say } = this;
    this.#button = button("button button--quiet look-back-open", () => this.#press("eventBack"), say.lookBack.controls);
    this.root.querySelector(".action-area")?.append(this.#button);
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (this.#bar !== null) return;
      const command = KEYS[event.key];
      if (command === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const target = keyTarget(event);
      if (target.closest("input, select, textarea, dialog, .chat")) return;
      event.preventDefault();
      event.stopPropagation(); // otherwise the arrow keys also move the focus along the hand
      this.#press(command);
    };
    document.addEventListener("keydown", onKey, { capture: true });
  }

  /** @param {LookBackCommand} command */
  async #press(command) {
    this.#loading ??= this.#load();
    (await this.#loading).press(command);
  }

  async #load() {
    const { LookBackBar } = await import("./replay/look_back_bar.js");
    const bar = new LookBackBar(this.root, this.say, this.redraw);
    for (const [event, view] of this.#kept.splice(0)) bar.append(event, view);
    this.#bar = bar;
    if (this.#button !== null) hide(this.#button, true);
    return bar;
  }
}
