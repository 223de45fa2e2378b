/**
 * The call buttons that apply now, each with the tiles it would take.
 *
 * @import { CallButton } from "../table/offer.js"
 *
 * @typedef {object} PromptModel
 * @property {CallButton[]} buttons
 * @property {number} q
 * @property {boolean} enabled
 * @property {string} hint
 * @property {boolean} choosingTiles the buttons are ways to make one call
 */
import { el, hide, reconcile, setText } from "./dom.js";
import { setChoice, setAction } from "./press.js";
import { tile } from "./tile.js";
import { Widget } from "./widget.js";

/** @extends {Widget<PromptModel>} */
export class PromptWidget extends Widget {
  #q = -1;

  /** @param {PromptModel} model */
  draw({ buttons, q, enabled, hint, choosingTiles }) {
    const hadFocus = this.contains(document.activeElement);
    const [hintLine, row] = this.children.length > 0 ? this.children : this.#lay();
    setText(hintLine, hint);
    hide(/** @type {HTMLElement} */ (hintLine), hint === "");
    reconcile(
      row,
      buttons.map((button) => ({ ...button, q, enabled })),
      ({ call, tiles, more }) => [call, choosingTiles ? "way" : "", more ? "more" : "", ...tiles].join(" "),
      (button) => this.button(button, choosingTiles),
      (node, { action, chooses, q, enabled }) => {
        const button = /** @type {HTMLButtonElement} */ (node);
        if (chooses === null) setAction(button, action, q, enabled);
        else setChoice(button, chooses, enabled);
      },
    );
    const hasLostFocus = hadFocus && !this.contains(document.activeElement);
    if (hasLostFocus && q === this.#q) /** @type {HTMLElement | null} */ (row.firstElementChild)?.focus();
    this.#q = q;
  }

  #lay() {
    this.append(el("p", "prompt-hint"), el("div", "prompt-row"));
    return this.children;
  }

  /**
   * @param {CallButton} button
   * @param {boolean} choosingTiles whether the tiles alone are enough as a label
   */
  button({ call, letter, chooses, tiles, more }, choosingTiles) {
    const { say } = this;
    const word = say.calls[call];
    const isWay = more || (choosingTiles && chooses === null);
    const node = el(
      "button",
      `call call--${call}`,
      isWay ? null : el("span", "call-word", word),
      tiles.length > 0 ? el("span", "call-tiles", ...tiles.map((pai) => tile(pai, ""))) : null,
      isWay ? null : keySign(letter),
    );
    node.classList.toggle("call--way", isWay);
    node.classList.toggle("call--more", more);
    node.setAttribute("aria-label", [word, ...tiles.map((pai) => say.tile(pai))].join(", "));
    node.dataset.letter = letter;
    node.setAttribute("aria-keyshortcuts", letter.toUpperCase());
    return node;
  }
}
customElements.define("mj-prompt", PromptWidget);

/** The key on the button, written by the style sheet: it is no part of the name. @param {string} letter */
function keySign(letter) {
  const sign = el("kbd", "");
  sign.dataset.sign = letter.toUpperCase();
  return sign;
}
