/**
 * The melds of one seat.
 *
 * @typedef {import("../table/melds.js").MeldTile} MeldTile
 */
import { el } from "./dom.js";
import { tile } from "./tile.js";
import { Widget } from "./widget.js";

/**
 * @param {MeldTile[]} tiles
 * @param {import("../table/names.js").Words | null} say
 * @returns {HTMLElement}
 */
export function meld(tiles, say) {
  const label = (/** @type {string} */ pai) => say?.tile(pai) ?? "";
  return el(
    "div",
    "meld",
    ...tiles.map(({ pai, turned, added }) => {
      const lower = tile(pai, label(pai), { turned });
      if (added === null) return lower;
      return el("div", "meld-stack", tile(added, label(added), { turned: true }), lower);
    }),
  );
}

/** @extends {Widget<MeldTile[][]>} */
export class MeldsWidget extends Widget {
  /** @type {import("../table/names.js").Words | null} */
  say = null;

  /** @param {MeldTile[][]} melds the newest last */
  draw(melds) {
    this.replaceChildren(...melds.map((tiles) => meld(tiles, this.say)).reverse());
  }
}
customElements.define("mj-melds", MeldsWidget);
