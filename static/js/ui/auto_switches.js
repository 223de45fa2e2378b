/**
 * One switch for each automatic, with its key.
 *
 * @import { Auto, Autos } from "../table/autos.js"
 */
import { AUTOS } from "../table/autos.js";
import { AUTO_LETTERS } from "../table/keys.js";
import { button, el } from "./dom.js";
import { Widget } from "./widget.js";

/**
 * `usable`: whether there can be any that act; `hasNorths`: whether norths can be set aside.
 * @typedef {Autos & {usable: boolean, hasNorths: boolean}} AutosModel
 *
 * @extends {Widget<AutosModel>}
 */
export class AutosWidget extends Widget {
  /** @param {Auto} _auto */
  toggle = (_auto) => {};
  /** @type {Map<Auto, HTMLButtonElement>} */
  #buttons = new Map();

  /** @param {AutosModel} model */
  draw(model) {
    if (this.#buttons.size === 0) this.#lay();
    for (const [auto, button] of this.#buttons) {
      button.setAttribute("aria-pressed", String(model[auto]));
      button.hidden = (auto !== "sort" && !model.usable) || (auto === "kita" && !model.hasNorths);
    }
  }

  #lay() {
    const letters = Object.entries(AUTO_LETTERS);
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", this.say.automatics);
    for (const auto of AUTOS) {
      const letter = letters.find(([, name]) => name === auto)?.[0] ?? "";
      const word = el("span", "auto-word", this.say.autos[auto]);
      const node = button("auto", () => this.toggle(auto), word, el("kbd", "", letter.toUpperCase()));
      node.dataset.auto = auto;
      node.title = this.say.autosMeaning[auto];
      node.setAttribute("aria-keyshortcuts", letter);
      this.#buttons.set(auto, node);
      this.append(node);
    }
  }
}
customElements.define("mj-autos", AutosWidget);
