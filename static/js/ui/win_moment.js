/**
 * The display of a win before its result: the greater the win, the more of the table it takes and the
 * longer it lasts. A press or a key ends it. The result has the same figures, so screen readers skip
 * the display. Without motion a yakuman is displayed still, and smaller wins are only called out.
 *
 * @import { Words } from "../table/names.js"
 * @import { View, Win } from "../table/types.js"
 */
import { settings } from "../settings.js";
import { greatest, lengthOf, tierOf } from "../table/win_tiers.js";
import { yakuName } from "../table/yaku_names.js";
import { el } from "./dom.js";
import { kanji } from "./kanji.js";

/** The style property with the delay of the result. */
const WAIT = "--moment";
/** Keys that change what other keys mean, or that lead to the buttons. */
const SILENT = ["Shift", "Control", "Alt", "Meta", "Tab"];

export class WinMoment {
  /** @type {HTMLElement | null} */
  #node = null;
  #timer = 0;
  /** A factor for the length of the display. */
  pace = 1;
  /** Whether the key that ends the display does nothing else. */
  keepsKey = true;

  /** @param {HTMLElement} root @param {Words} say */
  constructor(root, say) {
    this.root = root;
    this.say = say;
    addEventListener("keydown", (event) => this.#onKey(event), { capture: true });
  }

  /** How long the wins are shown, in milliseconds. @param {Win[]} wins */
  lengthOf(wins) {
    return lengthOf(tierOf(greatest(wins))) * this.pace;
  }

  /** @param {View} view after one or more wins */
  show({ results, names }) {
    this.reset();
    const wins = results.filter((result) => result.type === "hora");
    const length = this.lengthOf(wins);
    this.#node = this.#lay(wins, names);
    this.#node.style.setProperty("--length", `${length}ms`);
    this.#node.addEventListener("click", () => this.skip());
    this.root.append(this.#node);
    this.root.style.setProperty(WAIT, `${length}ms`);
    this.#timer = window.setTimeout(() => this.#remove(), length);
  }

  /** End the moment, and show the result at once. */
  skip() {
    this.#remove();
    this.root.style.setProperty(WAIT, "0s");
  }

  /** End the display, since the hand is over or another position is shown. */
  reset() {
    this.#remove();
    this.root.style.removeProperty(WAIT);
  }

  #remove() {
    clearTimeout(this.#timer);
    this.#node?.remove();
    this.#node = null;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const isShown = this.#node?.checkVisibility() === true;
    if (!isShown || SILENT.includes(event.key)) return;
    if (this.keepsKey) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    this.skip();
  }

  /** @param {Win[]} wins @param {string[]} names */
  #lay(wins, names) {
    const { say } = this;
    const best = greatest(wins);
    const tier = tierOf(best);
    const limit = best.yakuman > 0 ? say.yakumanTimes(best.yakuman) : say.limits[best.limit];
    const named = settings.get("yaku_names");
    const yaku = best.yaku.map(([id]) => yakuName(id, say.yaku, named).name).join(" \u00b7 ");
    const lines = wins.map(({ actor, target, points }) => {
      const call = actor === target ? say.calls.tsumo : say.calls.ron;
      return el(
        "p",
        "win-line",
        el("span", "win-who", say.calledBy(names[actor], call)),
        el("b", "win-points", say.points(points)),
      );
    });
    const node = el(
      "div",
      `win-moment win-moment--${tier}`,
      el(
        "div",
        "win-band",
        kanji(tier === 4 ? "yakuman" : best.actor === best.target ? "tsumo" : "ron"),
        tier > 0 && limit ? el("p", "win-word", limit) : null,
        best.yakuman > 0 ? el("p", "win-yaku", yaku) : null,
        ...lines,
      ),
    );
    node.setAttribute("aria-hidden", "true");
    return node;
  }
}
