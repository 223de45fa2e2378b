/**
 * The call buttons that apply now, each with the tiles it would take.
 *
 * @typedef {import("../table/offer.js").CallButton} CallButton
 *
 * @typedef {object} PromptModel
 * @property {CallButton[]} buttons
 * @property {number} q
 * @property {boolean} enabled
 * @property {string} hint
 */
import { el } from "./dom.js";
import { offerOn } from "./press.js";
import { tile } from "./tile.js";
import { Widget } from "./widget.js";

/** @extends {Widget<PromptModel>} */
export class PromptWidget extends Widget {
  /** @type {import("../table/names.js").Words | null} */
  say = null;

  /** @param {PromptModel} model */
  draw({ buttons, q, enabled, hint }) {
    this.replaceChildren(
      ...(hint === "" ? [] : [el("p", "prompt-hint", hint)]),
      ...buttons.map((button, at) => {
        const isFurther = at > 0 && buttons[at - 1].call === button.call;
        return this.button(button, isFurther, q, enabled);
      }),
    );
  }

  /**
   * @param {CallButton} button
   * @param {boolean} isFurther another way to make the call of the button before
   * @param {number} q
   * @param {boolean} enabled
   */
  button({ call, letter, action, tiles }, isFurther, q, enabled) {
    const say = this.say;
    const word = say?.calls[call] ?? call;
    const node = el(
      "button",
      `call call--${call}`,
      isFurther ? null : el("span", "call-word", word),
      tiles.length > 0 ? el("span", "call-tiles", ...tiles.map((pai) => tile(pai, ""))) : null,
      isFurther ? null : el("kbd", "", letter.toUpperCase()),
    );
    node.setAttribute("aria-label", [word, ...tiles.map((pai) => say?.tile(pai))].join(", "));
    node.dataset.letter = letter;
    offerOn(node, action, q, enabled);
    if (action === null) {
      node.disabled = !enabled;
      node.dataset.toggle = "riichi";
    }
    return node;
  }
}
customElements.define("mj-prompt", PromptWidget);
