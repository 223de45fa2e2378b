/** The dora indicators; with help, each with its dora. */
import { HIDDEN } from "../table/tiles.js";
import { el, reconcile } from "./dom.js";
import { tile } from "./tile.js";
import { Widget } from "./widget.js";

/**
 * The row of dora indicators beside its label.
 * @extends {Widget<{dora: (string | null)[], doraKinds: string[], hasHelp: boolean}>}
 */
export class InfoWidget extends Widget {
  #row = el("div", "dora-row");

  /** @param {{dora: (string | null)[], doraKinds: string[], hasHelp: boolean}} model */
  draw({ dora, doraKinds, hasHelp }) {
    const { say } = this;
    if (this.childElementCount === 0) {
      this.#row.setAttribute("role", "list");
      this.#row.setAttribute("aria-label", say.dora);
      this.append(el("span", "info-label", say.dora), this.#row);
    }
    const turned = dora.flatMap((pai) => (pai === null ? [] : [pai]));
    const shown = hasHelp
      ? turned.flatMap((pai, at) => [
          { pai, kind: doraKinds[at], isDora: false },
          { pai: doraKinds[at], kind: "", isDora: true },
        ])
      : dora.map((pai, at) => ({ pai, kind: doraKinds[at] ?? "", isDora: false }));
    this.#row.classList.toggle("has-dora", hasHelp);
    this.#row.style.setProperty("--pairs", `${turned.length}`);
    reconcile(
      this.#row,
      shown.map((cell, at) => ({ ...cell, at })),
      ({ pai, isDora, at }) => `${at}${pai ?? HIDDEN}${isDora ? "d" : ""}`,
      ({ pai, kind, isDora }) => {
        if (pai === null || isDora) {
          const node = tile(pai ?? HIDDEN, "");
          node.classList.toggle("tile--dora", isDora);
          return node;
        }
        const node = tile(pai, say.doraShown(kind, pai));
        node.setAttribute("role", "listitem");
        return node;
      },
    );
  }
}
customElements.define("mj-info", InfoWidget);
