/**
 * The dora indicators, the counters and the riichi sticks on the table.
 *
 * @typedef {object} InfoModel
 * @property {(string | null)[]} dora
 * @property {number} honba
 * @property {number} sticks
 */
import { el } from "./dom.js";
import { tile } from "./tile.js";
import { Widget } from "./widget.js";

/** @extends {Widget<InfoModel>} */
export class InfoWidget extends Widget {
  /** @type {import("../table/names.js").Words | null} */
  say = null;

  /** @param {InfoModel} model */
  draw({ dora, honba, sticks }) {
    const say = this.say;
    if (say === null) return;
    const row = el("div", "dora-row", ...dora.map((pai) => tile(pai ?? "?", pai ? say.tile(pai) : "")));
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", say.dora);
    this.replaceChildren(
      el("div", "dora", el("span", "info-label", say.dora), row),
      el(
        "div",
        "counters",
        counter("counter-honba", honba, say.honba(honba)),
        counter("counter-sticks", sticks, say.sticks(sticks)),
      ),
    );
  }
}

/** @param {string} className @param {number} count @param {string} name with the count */
function counter(className, count, name) {
  const node = el("span", `counter ${className}`, el("i", "counter-stick"), `${count}`);
  node.title = name;
  node.setAttribute("aria-label", name);
  node.setAttribute("role", "img");
  return node;
}
customElements.define("mj-info", InfoWidget);
