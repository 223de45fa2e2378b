/**
 * The panel of a replay: switches of the display, copies, the hands with their results, and the review
 * on a tab of its own. It is beside the board in a wide window, and a drawer in others.
 *
 * @import { Words } from "../table/names.js"
 * @import { ScoreChart } from "../table/outcome.js"
 * @import { ReplayHand, Script } from "./steps.js"
 *
 * @typedef {"open" | "waits" | "names"} Toggle
 * @typedef {"link" | "hand" | "picture"} Copy
 * @typedef {"hands" | "review"} Tab
 *
 * @typedef {object} Intents
 * @property {(at: number) => void} goTo
 * @property {(toggle: Toggle) => void} toggle
 * @property {(copy: Copy) => void} copy
 */
import { columnAt, lineSample, scoreFigure } from "../ui/chart.js";
import { button, el, hide, setAttribute, setText } from "../ui/dom.js";
import { markKey } from "./timeline.js";

/** @type {readonly Toggle[]} */
const TOGGLES = ["open", "waits", "names"];
/** @type {readonly Tab[]} */
const TABS = ["hands", "review"];
const NARROW = "(max-width: 1099px), (max-aspect-ratio: 1 / 1), (max-height: 520px)";

export class Panel {
  /** @type {HTMLButtonElement[]} */
  #hands = [];
  /** @type {{node: HTMLElement, hand: ReplayHand}[]} */
  #results = [];
  #narrow = matchMedia(NARROW);
  /** The names in the results, as one text. */
  #names = "";
  #message = el("p", "replay-message");
  #report = el("a", "replay-report");

  /**
   * @param {HTMLElement} node
   * @param {Words} say
   * @param {Script} script
   * @param {ScoreChart | null} chart
   * @param {Intents} intents
   * @param {HTMLElement} opener takes the focus when the drawer is closed
   * @param {string} [report] the address of the page on which a player is reported
   */
  constructor(node, say, script, chart, intents, opener, report = "") {
    this.node = node;
    this.say = say;
    this.opener = opener;
    const { replay } = say;
    this.toggles = TOGGLES.map((name) => button("replay-toggle", () => intents.toggle(name), replay.toggles[name]));
    const copies = /** @type {Copy[]} */ (["link", "hand", "picture"]).map((name) =>
      button("replay-toggle", () => intents.copy(name), replay.copies[name]),
    );
    const close = button("replay-close", () => this.close(), "\u2715");
    close.setAttribute("aria-label", say.close);
    this.#message.setAttribute("role", "status");
    this.reportAddress = report;
    this.#report.textContent = replay.report;
    this.#hands = script.hands.map((hand) => this.#row(hand, intents));
    const list = el("ol", "replay-hands", ...this.#hands.map((row) => el("li", "", row)));
    this.review = /** @type {HTMLElement | null} */ (node.querySelector("#review[data-review]:not([data-review=''])"));
    this.tabs = TABS.map((tab) => button("replay-tab", () => this.showTab(tab), replay.tabs[tab]));
    const title = el("h2", this.review === null ? "" : "visually-hidden", replay.panel);
    const tabs = this.review === null ? "" : group(replay.panel, this.tabs);
    this.content = el(
      "div",
      "",
      group(replay.display, this.toggles),
      group(replay.share, copies),
      this.#message,
      el("h3", "", replay.hands),
      list,
      el("h3", "", replay.timeline),
      markKey(script, say),
      chart === null ? "" : this.#chart(chart, script, intents),
      report === "" ? "" : this.#report,
    );
    node.prepend(el("header", "replay-head", title, tabs, close), this.content);
    this.showTab("hands");
    opener.setAttribute("aria-controls", node.id);
    node.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#narrow.matches) this.close();
    });
    this.#narrow.addEventListener("change", () => this.close());
    this.close();
  }

  /** @param {Tab} tab @param {boolean} [movesFocus] keys on a panel that is always there go on to step */
  open(tab, movesFocus = this.#narrow.matches) {
    this.showTab(tab);
    this.#setOpen(true);
    const current = this.node.querySelector(".replay-tab[aria-pressed=true]") ?? this.node.querySelector("button");
    if (movesFocus) /** @type {HTMLElement | null} */ (current)?.focus();
  }

  close() {
    const hadFocus = this.node.contains(document.activeElement);
    this.#setOpen(!this.#narrow.matches);
    if (hadFocus && this.#narrow.matches) this.opener.focus();
  }

  toggleDrawer() {
    if (this.node.hidden) this.open("hands");
    else this.close();
  }

  /** @param {Tab} tab */
  showTab(tab) {
    if (this.review === null) return;
    hide(this.content, tab !== "hands");
    hide(this.review, tab !== "review");
    for (const [at, name] of TABS.entries()) setAttribute(this.tabs[at], "aria-pressed", `${name === tab}`);
  }

  /** @param {string} text */
  showMessage(text) {
    this.#message.textContent = text;
  }

  /** Add the position to the address for reports. @param {string} query */
  setReportQuery(query) {
    if (this.reportAddress !== "") this.#report.href = this.reportAddress + query;
  }

  /** @param {{hand: number, names: string[], open: boolean, waits: boolean, hasNames: boolean}} now */
  show({ hand, names, open, waits, hasNames }) {
    for (const [at, row] of this.#hands.entries()) {
      const isCurrent = at === hand;
      if ((row.getAttribute("aria-current") === "true") === isCurrent) continue;
      setAttribute(row, "aria-current", isCurrent ? "true" : null);
      if (isCurrent && !this.node.hidden) row.scrollIntoView({ block: "nearest" });
    }
    const joined = names.join("\n");
    if (this.#names !== joined)
      for (const { node, hand: played } of this.#results) setText(node, this.#result(played, names));
    this.#names = joined;
    const states = { open, waits, names: hasNames };
    for (const [at, name] of TOGGLES.entries()) setAttribute(this.toggles[at], "aria-pressed", `${states[name]}`);
  }

  /** @param {ScoreChart} chart @param {Script} script @param {Intents} intents */
  #chart(chart, script, { goTo }) {
    const figure = scoreFigure(chart, this.say);
    figure.querySelector(".chart-lines")?.addEventListener("click", (event) => {
      const lines = /** @type {SVGSVGElement} */ (event.currentTarget);
      const column = columnAt(lines, /** @type {MouseEvent} */ (event).clientX, chart.hands.length);
      const hand = script.hands[column];
      goTo(hand === undefined ? script.events.length - 1 : hand.at);
    });
    return figure;
  }

  /** @param {boolean} isOpen */
  #setOpen(isOpen) {
    hide(this.node, !isOpen);
    setAttribute(this.opener, "aria-expanded", `${isOpen}`);
  }

  /** @param {ReplayHand} hand @param {Intents} intents */
  #row(hand, { goTo }) {
    const { say } = this;
    const name = say.handName(hand.bakaze, hand.kyoku, hand.honba);
    const result = el("span", "replay-result");
    this.#results.push({ node: result, hand });
    return button(
      "replay-hand",
      () => {
        goTo(hand.at);
        if (this.#narrow.matches) this.close();
      },
      el("span", "replay-round", name),
      result,
      hand.result === null ? "" : this.#changes(hand.result.deltas),
    );
  }

  /**
   * The changes of points, hidden from screen readers, which read the table below the chart.
   *
   * @param {number[]} deltas
   */
  #changes(deltas) {
    const node = el(
      "span",
      "replay-changes",
      ...deltas.map((delta, seat) => el("span", "", lineSample(seat), this.say.delta(delta) || "\u2013")),
    );
    node.setAttribute("aria-hidden", "true");
    return node;
  }

  /** @param {ReplayHand} hand @param {string[]} names */
  #result({ result }, names) {
    const { say } = this;
    if (result === null) return "";
    if (result.kind === "draw") return say.draws[result.reason] ?? result.reason;
    return result.winners
      .map((seat) => {
        const how = result.kind === "tsumo" ? say.calls.tsumo : say.ronFrom(names[result.loser]);
        return `${say.calledBy(names[seat], how)} ${say.delta(result.deltas[seat])}`;
      })
      .join(" · ");
  }
}

/** @param {string} title @param {HTMLElement[]} buttons */
function group(title, buttons) {
  const node = el("div", "replay-group", ...buttons);
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", title);
  return node;
}
