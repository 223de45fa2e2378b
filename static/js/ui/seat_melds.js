/**
 * The melds of one seat, and the norths that it has set aside.
 *
 * @import { MeldModel } from "../table/display.js"
 * @import { MeldTile } from "../table/melds.js"
 * @import { Words } from "../table/names.js"
 *
 * @typedef {object} MeldsModel
 * @property {string} name what screen readers call the melds
 * @property {MeldModel[]} melds the newest last
 * @property {readonly string[]} doraKinds
 * @property {number} norths
 * @property {"" | "meld" | "north"} robbing whether the newest kan or north can be won on now
 */
import { upright } from "../table/melds.js";
import { kindOf } from "../table/tiles.js";
import { el, setAttribute } from "./dom.js";
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
    const node = tile(pai, say.marked(pai, { dora }), { turned });
    node.classList.toggle("tile--dora", dora);
    node.setAttribute("role", "listitem");
    return node;
  };
  const node = el(
    "div",
    "meld",
    ...tiles.map(({ pai, turned, added }) => {
      const lower = laid(pai, turned);
      return added === null ? lower : el("div", "meld-stack", laid(added, true), lower);
    }),
  );
  node.setAttribute("role", "list");
  return node;
}

/**
 * The norths that a seat has set aside, half on each other.
 * @param {number} count
 * @param {Words} say
 * @param {readonly string[]} [doraKinds]
 */
export function northPile(count, say, doraKinds = []) {
  const pile = meld(Array(count).fill(upright("N")), say, doraKinds);
  pile.classList.add("norths");
  pile.setAttribute("aria-label", say.norths(count));
  return pile;
}

/** The width of a meld, in tiles. @param {MeldTile[]} tiles */
const widthOf = (tiles) => tiles.reduce((sum, { turned }) => sum + (turned ? 4 / 3 : 1), 0);

/** @extends {Widget<MeldsModel>} */
export class MeldsWidget extends Widget {
  /** @param {MeldsModel} model */
  draw({ name, melds, doraKinds, norths, robbing }) {
    const isEmpty = melds.length + norths === 0;
    setAttribute(this, "role", isEmpty ? null : "group");
    setAttribute(this, "aria-label", isEmpty ? null : name);
    const laid = melds.map(({ type, from, tiles }) => {
      const node = meld(tiles, this.say, doraKinds);
      node.setAttribute("aria-label", this.say.meldFrom(type, from));
      return node;
    });
    this.style.setProperty("--widths", `${melds.reduce((sum, { tiles }) => sum + widthOf(tiles), 0)}`);
    laid.at(-1)?.classList.toggle("meld--robbing", robbing === "meld");
    this.replaceChildren(...laid.reverse());
    if (norths === 0) return;
    const pile = northPile(norths, this.say, doraKinds);
    pile.classList.toggle("norths--robbing", robbing === "north");
    this.append(pile);
  }
}
customElements.define("mj-melds", MeldsWidget);
