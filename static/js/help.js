/**
 * Help while playing: requests a study of the reader's hand when the hand may have changed, and shows
 * the answer. Knows no rules.
 *
 * @import { Pointed, Study } from "./table/hints.js"
 * @import { Action, View } from "./table/types.js"
 * @typedef {import("./table/hints.js").Hints["barred"][number]} Barred
 *
 * @typedef {object} Moment
 * @property {View} view
 * @property {number | null} you
 * @property {number} q
 * @property {Action[]} legal
 * @property {string | null} chosen the call that has been pressed
 * @property {boolean} [hasBeginners] whether all others are the bots for beginners
 */
import { settings } from "./settings.js";
import { hintsOf, isWanted, wantedHints } from "./table/hints.js";
import { el, hide } from "./ui/dom.js";
import { HintsWidget } from "./ui/hint_panel.js";

/** Shortest time between two requests while others play: the server limits their rate. */
const EVERY_MS = 700;

export class Help {
  /** @type {Study | null} */
  #study = null;
  /** @type {Moment | null} */
  #now = null;
  /** @type {Pointed | null} */
  #pointed = null;
  #requested = "";
  #requestedAt = -EVERY_MS;
  #isWaiting = false;
  #hand = "";
  /** The note at the tile pointed to. */
  #note = el("p", "tile-note");
  /** @type {Barred[]} tiles that may not be discarded now, and why */
  barred = [];
  /** The help that is shown. @type {import("./table/hints.js").HintLine[]} */
  lines = [];

  /**
   * @param {HTMLElement} root
   * @param {import("./table/names.js").Words} say
   * @param {HTMLElement} board where it is shown
   * @param {{requestStudy: (q: number) => void, redraw: () => void}} table
   */
  constructor(root, say, board, table) {
    this.widget = new HintsWidget(say);
    this.widget.hidden = true;
    this.table = table;
    board.append(this.widget);
    this.#note.setAttribute("aria-hidden", "true"); // the label of the tile has the same text
    this.#note.hidden = true;
    root.append(this.#note);
    for (const event of ["pointerover", "pointerout", "focusin", "focusout", "click"]) {
      root.addEventListener(event, () => queueMicrotask(() => this.#followPointer(root)));
    }
    settings.subscribe((key) => key.startsWith("hint_") && this.#now !== null && this.show(this.#now));
  }

  /** @param {Moment} now */
  show(now) {
    const hand = `${now.you} ${now.view.history.length}`;
    if (hand !== this.#hand) this.#study = null;
    this.#hand = hand;
    this.#now = now;
    this.#requestSoon();
    this.#draw();
  }

  /** Whether this reader has help, as far as settings and table allow it. */
  get isOn() {
    const { you = null, hasBeginners = false } = this.#now ?? {};
    return you !== null && isWanted(wantedHints(settings.all(), hasBeginners));
  }

  /** @param {Study} study */
  receive(study) {
    if (study.q !== this.#now?.q) return;
    this.#study = study;
    this.#draw();
    if (this.barred.length > 0) this.table.redraw();
  }

  /** Whether this reader can have help now. @param {Moment} now */
  #isPossible({ view }) {
    return this.isOn && (view.phase === "turn" || view.phase === "claims" || view.phase === "showing");
  }

  #requestSoon() {
    const now = this.#now;
    if (now === null || now.you === null || !this.#isPossible(now)) return;
    const question = `${this.#hand} ${now.q} ${now.view.hands[now.you].furiten}`;
    if (question === this.#requested) return;
    const isUrgent = now.view.turn === now.you || now.legal.length > 0;
    const wait = this.#requestedAt + EVERY_MS - performance.now();
    if (wait > 0 && !isUrgent) {
      if (this.#isWaiting) return;
      this.#isWaiting = true;
      setTimeout(() => {
        this.#isWaiting = false;
        this.#requestSoon();
      }, wait);
      return;
    }
    this.#requested = question;
    this.#requestedAt = performance.now();
    this.table.requestStudy(now.q);
  }

  /** @param {HTMLElement} root */
  #followPointer(root) {
    const raised = root.querySelector(".own mj-hand .tile--raised");
    const node = raised ?? root.querySelector(".own mj-hand .tile:is(:hover, :focus-visible)");
    this.#annotate(node instanceof HTMLElement ? node : null);
    const pointed =
      node instanceof HTMLElement
        ? { pai: node.dataset.pai ?? "", drawn: node.classList.contains("tile--drawn") }
        : null;
    if (pointed?.pai === this.#pointed?.pai && pointed?.drawn === this.#pointed?.drawn) return;
    this.#pointed = pointed;
    this.#draw();
  }

  /** Show the note of a tile beside it. @param {HTMLElement | null} tile */
  #annotate(tile) {
    const note = tile?.dataset.note ?? "";
    hide(this.#note, note === "");
    if (tile === null || note === "") return;
    const { left, width, top } = tile.getBoundingClientRect();
    this.#note.textContent = note;
    this.#note.style.setProperty("--x", `${left + width / 2}px`);
    this.#note.style.setProperty("--y", `${top}px`);
  }

  #draw() {
    const now = this.#now;
    const study = this.#study;
    if (now === null || study === null || !this.#isPossible(now) || !this.#isCurrent(now, study)) {
      hide(this.widget, true);
      this.barred = [];
      this.lines = [];
      return;
    }
    const riichi = now.chosen === "reach" ? now.legal.filter(({ type }) => type === "reach") : null;
    const canWin = now.legal.some(({ type }) => type === "hora");
    const hints = hintsOf(study, wantedHints(settings.all(), now.hasBeginners === true), {
      pointed: this.#pointed,
      riichi,
      canWin,
    });
    this.barred = hints.barred;
    this.lines = hints.lines;
    this.widget.show(hints);
    hide(this.widget, hints.lines.length === 0);
  }

  /**
   * Whether a study still applies: that of a turn applies only to its question.
   *
   * @param {Moment} now
   * @param {Study} study
   */
  #isCurrent({ view, you, q }, study) {
    const hasCalled = view.phase === "turn" && view.turn === you && view.drawn === null;
    return study.q === q || (study.hand !== null && !hasCalled);
  }
}
