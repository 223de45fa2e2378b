/**
 * The guide of a staged hand: shows the text of the step beside the table, and marks the control
 * that the text explains.
 *
 * @import { Moment } from "./guide_steps.js"
 */
import { hide, setAttribute } from "../ui/dom.js";
import { stepOf } from "./guide_steps.js";

const TARGET = "guide-target";
/** The windows in which the guide is a strip above the table. */
const UPRIGHT = "(max-width: 559px), (max-aspect-ratio: 1 / 1)";

export class Guide {
  /** @type {HTMLElement | null} */
  #target = null;
  #shown = "";
  #upright = matchMedia(UPRIGHT);

  /** @param {HTMLElement} root the table @param {HTMLElement} panel @param {string} hand its name */
  constructor(root, panel, hand) {
    this.root = root;
    this.panel = panel;
    this.hand = hand;
    new ResizeObserver(() => this.#fit()).observe(panel);
  }

  /** @param {Moment} moment */
  show(moment) {
    const { text, tile, call } = stepOf(this.hand, moment);
    this.#write(text);
    const found = moment.legal.length > 0 ? this.#find(tile, call) : null;
    if (found === this.#target) return;
    this.#target?.classList.remove(TARGET);
    if (this.#target !== null) setAttribute(this.#target, "aria-describedby", null);
    found?.classList.add(TARGET);
    if (found !== null) setAttribute(found, "aria-describedby", "guide-text");
    this.#target = found;
  }

  /** @param {string} step */
  #write(step) {
    if (step === this.#shown) return;
    this.#shown = step;
    this.panel.dataset.step = step;
    for (const node of this.panel.querySelectorAll("[data-on]")) {
      if (!(node instanceof HTMLElement)) continue;
      hide(node, !(node.dataset.on ?? "").split(" ").includes(step));
    }
    this.panel.scrollTop = 0;
  }

  /** Set the height of the strip, below which the table begins. */
  #fit() {
    const height = this.#upright.matches ? `${this.panel.offsetHeight}px` : "0px";
    document.body.style.setProperty("--guide-height", height);
  }

  /** @param {string} [tile] @param {string} [call] @returns {HTMLElement | null} */
  #find(tile, call) {
    const selector = tile ? `.own mj-hand button.tile[data-pai="${tile}"]` : `.call--${call}`;
    return tile || call ? this.root.querySelector(selector) : null;
  }
}
