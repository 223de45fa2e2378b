/**
 * Help beside the own river: waits, obstacles and useful tiles. If it has no room, a press opens it
 * over the table.
 *
 * @import { HintLine, HintWait, Hints } from "../table/hints.js"
 * @import { Words } from "../table/names.js"
 */
import { el, hide } from "./dom.js";
import { tile } from "./tile.js";
import { Widget } from "./widget.js";

const MAX_USEFUL = 9;

/** @extends {Widget<Hints>} */
export class HintsWidget extends Widget {
  #all = el("div", "hint-all");
  #part = el("div", "hint-part", this.#all);
  #opener = el("button", "hint-opener");
  #sizes = new ResizeObserver(() => this.#measure());

  connectedCallback() {
    if (this.firstChild !== null) return;
    this.setAttribute("role", "note");
    this.setAttribute("aria-label", this.say.hints);
    this.#opener.type = "button";
    this.append(this.#part, this.#opener);
    this.addEventListener("click", () => {
      if (!this.#opener.hidden) this.#open(!this.classList.contains("is-open"));
    });
    this.#open(false);
    this.#measure();
    for (const node of [this.#all, this.#part]) this.#sizes.observe(node);
  }

  /** @param {Hints} hints */
  draw({ lines }) {
    const { say } = this;
    this.hidden = lines.length === 0;
    if (this.hidden) this.#open(false);
    this.#all.replaceChildren(...lines.map((line) => lineOf(line, say)));
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    this.classList.toggle("is-open", isOpen);
    this.#opener.setAttribute("aria-expanded", `${isOpen}`);
    this.#opener.setAttribute("aria-label", this.say.allHints);
  }

  /** Show the button that opens the help if a part of it is cut off. */
  #measure() {
    const isCut = this.#all.offsetHeight > this.#part.clientHeight + 1;
    hide(this.#opener, !isCut && !this.classList.contains("is-open"));
    this.classList.toggle("is-cut", isCut);
  }
}
customElements.define("mj-hints", HintsWidget);

/** A word in bold, and why. @param {string} title @param {string[]} reasons */
const because = (title, reasons) =>
  el(
    "p",
    "hint-note hint-furiten",
    el("b", "", title),
    el("span", "", ...reasons.map((text) => el("span", "hint-reason", text))),
  );

/** @param {HintLine} line @param {Words} say */
function lineOf(line, say) {
  const { discards, isAny, waits, dead, warning, furiten, shanten, useful } = line;
  return el(
    "div",
    "hint-line",
    el(
      "div",
      "hint-row",
      discards.length > 0 ? after(discards, say) : null,
      isAny ? el("span", "hint-any", say.tenpaiAfterAny) : null,
      ...waits.map((shown) => wait(shown, line.declared, say)),
      warning === "" ? null : el("span", "hint-warning", say[warning]),
    ),
    dead ? el("p", "hint-note hint-dead", say.noWaits) : null,
    furiten.length > 0
      ? because(
          say.furiten,
          furiten.map((why) => say.furitenReasons[why]),
        )
      : null,
    shanten === null ? null : distance(shanten, useful, say),
  );
}

/** The discards of a line. @param {string[]} discards @param {Words} say */
function after(discards, say) {
  return el(
    "span",
    "hint-after",
    ...discards.map((pai) => tile(pai, say.afterDiscard(pai))),
    el("span", "hint-arrow", "\u2192"),
  );
}

/** @param {HintWait} wait @param {boolean} declared @param {Words} say */
function wait({ pai, left, ron, tsumo }, declared, say) {
  const worth = ron ?? tsumo;
  const label = [
    say.unseen(pai, left),
    ron === null ? "" : `${say.calls.ron} ${say.points(ron.points)}`,
    tsumo === null ? "" : `${say.calls.tsumo} ${say.points(tsumo.points)}`,
    worth !== null && declared ? say.withRiichi : "",
  ].filter((text) => text !== "");
  const node = el(
    "span",
    left === 0 ? "hint-wait is-gone" : "hint-wait",
    tile(pai, ""),
    el("span", "hint-left", `${left}`),
    worth === null ? null : el("span", "hint-worth", say.points(worth.points)),
  );
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", label.join(", "));
  node.title = label.join(", ");
  return node;
}

/** @param {number} shanten @param {[string, number][]} useful @param {Words} say */
function distance(shanten, useful, say) {
  const count = useful.reduce((sum, [, left]) => sum + left, 0);
  const shown = useful.slice(0, MAX_USEFUL);
  return el(
    "div",
    "hint-distance",
    el("p", "hint-note", `${say.toTenpai(shanten)} \u00b7 ${say.useful(count)}`),
    el(
      "div",
      "hint-row hint-useful",
      ...shown.map(([pai, left]) => wait({ pai, left, ron: null, tsumo: null }, false, say)),
      useful.length > shown.length ? el("span", "hint-more", "\u2026") : null,
    ),
  );
}
