/**
 * A hand: the reader's with buttons as tiles, or another's, closed or open. For screen readers a
 * closed hand is one picture, an open one a list.
 *
 * @import { HandTile } from "../table/offer.js"
 *
 * @typedef {object} HandModel
 * @property {(HandTile & {dora: boolean, note?: string})[]} tiles `note`: why a tile cannot be chosen
 * @property {string} name what screen readers call it
 * @property {boolean} own
 * @property {boolean} enabled whether a click has an effect now
 * @property {number} q the question the tiles answer, if there is one
 */
import { HIDDEN } from "../table/tiles.js";
import { setAttribute, reconcile } from "./dom.js";
import { setAction } from "./press.js";
import { nameTile, tile } from "./tile.js";
import { Widget } from "./widget.js";

/** @extends {Widget<HandModel>} */
export class HandWidget extends Widget {
  /** @param {HandModel} model */
  draw({ name, tiles, own, enabled, q }) {
    const isClosed = tiles.every(({ pai }) => pai === HIDDEN);
    setAttribute(this, "role", own ? "group" : isClosed ? "img" : "list");
    setAttribute(this, "aria-label", isClosed && !own ? `${name}: ${this.say.closedTiles(tiles.length)}` : name);
    const place = [...this.children].findIndex((node) => node.matches(":focus-visible"));
    reconcile(
      this,
      tiles.map((tile) => ({ note: "", ...tile, enabled, q })),
      ({ key }) => key,
      ({ pai }) => tile(pai, "", { tag: own && pai !== HIDDEN ? "button" : "span" }),
      (node, { pai, drawn, action, dim, dora, note, enabled, q }) => {
        node.classList.toggle("tile--dora", dora);
        if (!isClosed) {
          const label = this.say.marked(pai, { dora, drawn });
          nameTile(node, note === "" ? label : `${label}. ${note}`);
          setAttribute(node, "role", own ? null : "listitem");
        }
        setAttribute(node, "data-note", note || null);
        node.classList.toggle("tile--drawn", drawn);
        node.classList.toggle("tile--dim", dim);
        node.classList.toggle("tile--live", action !== null);
        if (node instanceof HTMLButtonElement) setAction(node, action, q, enabled);
      },
    );
    if (place >= 0 && !this.contains(document.activeElement)) this.focusAt(place);
  }

  /** Keep the focus at the place of a tile that is gone. @param {number} place */
  focusAt(place) {
    const node = this.children[Math.min(place, this.children.length - 1)];
    if (node instanceof HTMLElement) node.focus();
  }
}
customElements.define("mj-hand", HandWidget);
