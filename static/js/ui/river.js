/**
 * The discards of one seat, in rows of six. A called tile stays in its place, faded.
 *
 * @import { RiverCell } from "../table/display.js"
 */
import { el, setAttribute, reconcile } from "./dom.js";
import { nameTile, tile } from "./tile.js";
import { Widget } from "./widget.js";

/** @extends {Widget<{rows: RiverCell[][], name: string}>} */
export class RiverWidget extends Widget {
  /** @param {{rows: RiverCell[][], name: string}} model `name`: what screen readers call the list */
  draw({ rows, name }) {
    setAttribute(this, "role", "list");
    setAttribute(this, "aria-label", name);
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
      ({ pai, turned }) => tile(pai, "", { turned }),
      (cell, { pai, turned, last, recent, tsumogiri, taken, caller, dora }) => {
        setAttribute(cell, "role", "listitem");
        cell.classList.toggle("tile--last", last);
        cell.classList.toggle("tile--recent", recent);
        cell.classList.toggle("tile--tsumogiri", tsumogiri);
        cell.classList.toggle("tile--taken", taken);
        cell.classList.toggle("tile--dora", dora);
        nameTile(cell, this.say.marked(pai, { dora, tsumogiri, riichi: turned, taken, caller }));
      },
    );
  }
}
customElements.define("mj-river", RiverWidget);
