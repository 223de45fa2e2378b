/**
 * The bar with which a spectator of a running table looks back: steps through the events that this
 * page has received, and returns to live. It sends nothing to the server.
 *
 * @import { Words } from "../table/names.js"
 * @import { TableEvent, View } from "../table/types.js"
 *
 * @typedef {"first" | "handBack" | "eventBack" | "event" | "hand" | "live"} LookBackCommand
 */
import { button, el, hide, keyTarget, setAttribute, setText } from "../ui/dom.js";
import { stepButton } from "./bar.js";
import { followSwipes, followWheel } from "./navigation.js";
import { Steps } from "./steps.js";

/** @type {Record<string, LookBackCommand>} */
const KEYS = {
  ArrowLeft: "eventBack",
  ArrowRight: "event",
  PageUp: "handBack",
  PageDown: "hand",
  Home: "first",
  End: "live",
};

export class LookBackBar {
  #steps = Steps.ofTable();
  /** The position that is shown; null while the page is live. @type {number | null} */
  #at = null;
  /** @type {Record<string, HTMLButtonElement>} */
  #buttons = {};
  #behind = el("output", "look-back-steps");

  /**
   * @param {HTMLElement} root the table
   * @param {Words} say
   * @param {(event: TableEvent | null) => void} redraw with the event to announce; null if live
   */
  constructor(root, say, redraw) {
    this.say = say;
    this.redraw = redraw;
    const steps = /** @type {const} */ (["handBack", "eventBack", "event", "hand"]).map((command) => {
      const node = stepButton(command, say, () => this.press(command));
      this.#buttons[command] = node;
      return node;
    });
    this.live = button("button button--quiet look-back-live", () => this.press("live"), say.lookBack.live);
    this.node = el(
      "div",
      "look-back",
      el("div", "look-back-note", this.#behind, this.live),
      el("div", "replay-steps", ...steps),
    );
    this.node.setAttribute("role", "toolbar");
    this.node.setAttribute("aria-label", say.lookBack.controls);
    const style = el("link", "");
    style.rel = "stylesheet";
    style.href = root.dataset.lookBack ?? "";
    document.head.append(style);
    root.querySelector(".action-area")?.append(this.node);
    document.addEventListener("keydown", (event) => this.#onKey(event), { capture: true });
    const press = (/** @type {"event" | "eventBack"} */ command) => this.press(command);
    followWheel(root, press);
    followSwipes(root, press);
    this.#draw();
  }

  /**
   * Add an event and the view after it.
   * @param {TableEvent | null} event null for a view whose events are not known
   * @param {View} view
   */
  append(event, view) {
    this.#steps.append(event, view);
    this.#draw();
  }

  get isLive() {
    return this.#at === null;
  }

  /** The earlier view that is shown; null while the page is live. @returns {View | null} */
  get shownView() {
    return this.#at === null ? null : this.#steps.view(this.#at);
  }

  /** @param {LookBackCommand} command */
  press(command) {
    const steps = this.#steps;
    if (steps.last < 0) return;
    const at = this.#at ?? steps.last;
    switch (command) {
      case "eventBack":
        return this.goTo(at - 1);
      case "event":
        return this.goTo(at + 1);
      case "handBack":
        return this.goTo(steps.hand(at, -1));
      case "hand":
        return this.goTo(steps.hand(at, 1));
      case "first":
        return this.goTo(steps.first);
      case "live":
        return this.goTo(steps.last);
    }
  }

  /** Show a position; the last one is live. @param {number} wanted */
  goTo(wanted) {
    const steps = this.#steps;
    if (steps.last < 0) return;
    const at = steps.clamp(wanted);
    const next = at === steps.last ? null : at;
    if (next === this.#at) return;
    this.#at = next;
    this.#draw();
    this.redraw(next === null ? null : steps.script.events[next]);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const command = KEYS[event.key];
    if (command === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const target = keyTarget(event);
    if (target.closest("input, select, textarea, .chat")) return;
    if (document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    event.stopPropagation(); // otherwise the arrow keys also move the focus along the hand
    this.press(command);
  }

  #draw() {
    const steps = this.#steps;
    const behind = this.#at === null ? 0 : steps.last - this.#at;
    setAttribute(this.node, "data-live", `${this.isLive}`);
    setText(this.#behind, behind > 0 ? this.say.lookBack.behind(behind) : "");
    hide(this.live, this.isLive);
    const isFirst = steps.last < 0 || (this.#at ?? steps.last) === steps.first;
    for (const [command, node] of Object.entries(this.#buttons)) {
      const isAtEnd = command.endsWith("Back") ? isFirst : this.isLive;
      setAttribute(node, "aria-disabled", isAtEnd ? "true" : null);
    }
  }
}
