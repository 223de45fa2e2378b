/**
 * The melds of one seat.
 *
 * @import { MeldTile } from "../table/melds.js"
 * @import { Words } from "../table/names.js"
 *
 * @typedef {object} MeldsModel
 * @property {MeldTile[][]} melds the newest last
 * @property {readonly string[]} doraKinds
 * @property {boolean} robbing whether the newest kan can be won on now
 */
import { kindOf } from "../table/tiles.js";
import { el } from "./dom.js";
import { tile } from "./tile.js";
import { Widget } from "./widget.js";

/**
 * @param {MeldTile[]} tiles
 * @param {Words} say
 * @param {readonly string[]} [doraKinds]
 * @returns {HTMLElement}
 */
export function meld(tiles, say, doraKinds = []) {
  /** @param {string} pai @param {boolean} turned */
  const laid = (pai, turned) => {
    const dora = doraKinds.includes(kindOf(pai));
    const node = tile(pai, say.marked(pai, { dora, taken: false }), { turned });
    node.classList.toggle("tile--dora", dora);
    return node;
  };
  return el(
    "div",
    "meld",
    ...tiles.map(({ pai, turned, added }) => {
      const lower = laid(pai, turned);
      return added === null ? lower : el("div", "meld-stack", laid(added, true), lower);
    }),
  );
}

/** @extends {Widget<MeldsModel>} */
export class MeldsWidget extends Widget {
  /** @param {MeldsModel} model */
  draw({ melds, doraKinds, robbing }) {
    const laid = melds.map((tiles) => meld(tiles, this.say, doraKinds));
    laid.at(-1)?.classList.toggle("meld--robbing", robbing);
    this.replaceChildren(...laid.reverse());
  }
}
customElements.define("mj-melds", MeldsWidget);
