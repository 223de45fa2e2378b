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
      ...buttons.map((button) => this.button(button, q, enabled)),
    );
  }

  /** @param {CallButton} button @param {number} q @param {boolean} enabled */
  button({ call, letter, action, tiles }, q, enabled) {
    const say = this.say;
    const word = say?.calls[call] ?? call;
    const node = el(
      "button",
      `call call--${call}`,
      el("span", "call-word", word),
      tiles.length > 0 ? el("span", "call-tiles", ...tiles.map((pai) => tile(pai, ""))) : null,
      el("kbd", "", letter.toUpperCase()),
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
