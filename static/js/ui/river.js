/**
 * The discards of one seat, in rows of six. A called tile stays in its place, faded.
 *
 * @import { RiverCell } from "../table/display.js"
 */
import { el, setAttribute, reconcile } from "./dom.js";
import { tile } from "./tile.js";
import { Widget } from "./widget.js";

/** @extends {Widget<RiverCell[][]>} */
export class RiverWidget extends Widget {
  /** @param {RiverCell[][]} rows */
  draw(rows) {
    reconcile(
      this,
      rows.map((cells, row) => ({ cells, row })),
      ({ row }) => `${row}`,
      () => el("div", "river-row"),
      (node, { cells }) => this.drawRow(node, cells),
    );
  }

  /** @param {HTMLElement} node @param {RiverCell[]} cells */
  drawRow(node, cells) {
    reconcile(
      node,
      cells,
      ({ key, pai, turned }) => `${key}${pai}${turned ? "t" : ""}`,
      ({ pai, turned }) => tile(pai, this.say.tile(pai), { turned }),
      (cell, { pai, last, recent, tsumogiri, taken, dora }) => {
        cell.classList.toggle("tile--last", last);
        cell.classList.toggle("tile--recent", recent);
        cell.classList.toggle("tile--tsumogiri", tsumogiri);
        cell.classList.toggle("tile--taken", taken);
        cell.classList.toggle("tile--dora", dora);
        setAttribute(cell, "aria-label", this.say.marked(pai, { dora, taken }));
      },
    );
  }
}
customElements.define("mj-river", RiverWidget);
