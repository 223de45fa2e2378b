/** The dora indicators. */
import { HIDDEN, doraOf } from "../table/tiles.js";
import { el, reconcile } from "./dom.js";
import { tile } from "./tile.js";
import { Widget } from "./widget.js";

/** @extends {Widget<{dora: (string | null)[]}>} */
export class InfoWidget extends Widget {
  #row = el("div", "dora-row");

  /** @param {{dora: (string | null)[]}} model */
  draw({ dora }) {
    const { say } = this;
    if (this.childElementCount === 0) {
      this.#row.setAttribute("role", "list");
      this.#row.setAttribute("aria-label", say.dora);
      this.append(el("span", "info-label", say.dora), this.#row);
    }
    reconcile(
      this.#row,
      dora.map((pai, at) => ({ pai, at })),
      ({ pai, at }) => `${at}${pai ?? "?"}`,
      ({ pai }) => {
        const node = tile(pai ?? HIDDEN, pai === null ? "" : say.doraShown(doraOf(pai), pai));
        if (pai !== null) node.setAttribute("role", "listitem");
        return node;
      },
    );
  }
}
customElements.define("mj-info", InfoWidget);
