/**
 * Shows the start of a game: the seats, and the break of the wall. It is shown when the first hand is
 * dealt while the page is open, not after a reload and not in a replay. The game does not wait for
 * it. A press, a key, a call or a question about a call ends it.
 *
 * @import { Words } from "./table/names.js"
 * @import { TableEvent, View } from "./table/types.js"
 */
import { settings } from "./settings.js";

/** Events that do not end the picture. */
const QUIET = new Set(["start_kyoku", "tsumo", "dahai", "away"]);
const ENDED_BY = ["pointerdown", "keydown", "visibilitychange"];

export class Opening {
  #isDue = false;
  /** @type {HTMLElement | null} */
  #shown = null;

  /** @param {HTMLElement} root @param {HTMLElement} felt @param {Words} say */
  constructor(root, felt, say) {
    this.root = root;
    this.felt = felt;
    this.say = say;
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Load what is needed, before a game has begun. */
  prepare() {
    if (this.#isWanted()) void import("./ui/opening_picture.js").then(({ loadStyle }) => loadStyle());
  }

  /**
   * @param {TableEvent} event
   * @param {View} view after the event
   * @param {number} bottom the seat at the bottom
   */
  apply(event, view, bottom) {
    if (event.type === "start_kyoku" && view.history.length === 1 && this.#isWanted()) {
      void this.#begin(view, bottom);
    } else if (!QUIET.has(event.type)) this.end();
  }

  /** @param {View} view @param {number} bottom */
  async #begin(view, bottom) {
    this.#isDue = true;
    const { openingPicture, loadStyle } = await import("./ui/opening_picture.js");
    await loadStyle();
    if (!this.#isDue) return;
    const { table = "" } = this.root.dataset;
    this.#shown = openingPicture(view, bottom, table, this.say);
    this.#shown.addEventListener("animationend", ({ target }) => target === this.#shown && this.end());
    this.felt.append(this.#shown);
    for (const type of ENDED_BY) document.addEventListener(type, this.end);
  }

  #isWanted() {
    const isStill = this.root.dataset.motion === "off" || this.reduced.matches;
    return settings.get("seat_draw") && !isStill && !document.hidden;
  }

  end = () => {
    this.#isDue = false;
    this.#shown?.remove();
    this.#shown = null;
    for (const type of ENDED_BY) document.removeEventListener(type, this.end);
  };
}
