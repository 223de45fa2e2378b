/**
 * The waits of the seats whose hands are open, with a note on furiten.
 *
 * @import { Words } from "../table/names.js"
 * @import { Waits } from "./steps.js"
 *
 * @typedef {{wind: string, waits: Waits}} Row
 */
import { el } from "../ui/dom.js";
import { tile } from "../ui/tile.js";
import { Widget } from "../ui/widget.js";

/** @extends {Widget<Row[]>} */
export class WaitsWidget extends Widget {
  /** @param {Row[]} rows */
  draw(rows) {
    const { say } = this;
    this.replaceChildren(
      rows.length > 0 ? el("span", "replay-waits-title", say.waits) : "",
      ...rows.map(({ wind, waits: { tiles, furiten } }) => {
        const faces = tiles.map((pai) => tile(pai, say.tile(pai)));
        const row = el(
          "span",
          "replay-wait",
          el("b", "", say.windLetters[wind]),
          ...faces,
          furiten ? el("span", "replay-furiten", say.furiten) : null,
        );
        row.setAttribute("role", "group");
        row.setAttribute("aria-label", say.replay.waitsOf.replace("{wind}", say.winds[wind]));
        return row;
      }),
    );
  }
}
customElements.define("mj-replay-waits", WaitsWidget);
