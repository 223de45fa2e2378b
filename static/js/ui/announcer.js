/**
 * Invisible live regions for screen readers: a log of events, and an alert with the question to
 * the reader and its last seconds.
 *
 * @import { Words } from "../table/names.js"
 * @import { Clock } from "../table/types.js"
 */
import { WARNINGS_S, dueWarning } from "../table/time.js";
import { el } from "./dom.js";

/** Lines that stay in the log. */
const KEPT = 30;
/** Moves that can be read again. */
const MOVES = 5;
const CHECK_MS = 250;

export class Announcer {
  #log = el("div", "visually-hidden live");
  #question = el("p", "visually-hidden live");
  /** @type {string[]} lines that are not in the log yet */
  #news = [];
  #q = -1;
  /** @type {Clock | null} */
  #clock = null;
  #warned = Infinity;
  /** @type {number | undefined} */
  #timer;
  /** The last moves. @type {string[]} */
  moves = [];
  /** @type {() => number} server time */
  now = () => Date.now();

  /** @param {HTMLElement} root @param {Words} say */
  constructor(root, say) {
    this.say = say;
    this.#log.setAttribute("role", "log");
    this.#log.setAttribute("aria-label", say.eventLog);
    this.#question.setAttribute("role", "alert");
    root.append(this.#log, this.#question);
  }

  /** Add a line, which is shown when the table is drawn. @param {string} text nothing if empty */
  add(text) {
    if (text === "") return;
    this.#news.push(text);
    this.moves = [...this.moves, text].slice(-MOVES);
  }

  /** Say what the reader has asked for. It is no move. @param {string} text */
  read(text) {
    this.#news.push(text);
    this.show();
  }

  /** Write the new lines into the log. */
  show() {
    const lines = this.#news.splice(0).slice(-KEPT);
    this.#log.append(...lines.map((text) => el("p", "", text)));
    while (this.#log.childElementCount > KEPT) this.#log.firstElementChild?.remove();
  }

  /**
   * Alert once for each question.
   * @param {number} q
   * @param {string} text nothing is asked if empty
   * @param {Clock | null} clock
   */
  showQuestion(q, text, clock) {
    this.#startCountdown(text === "" ? null : clock);
    if (q === this.#q && text !== "") return;
    this.#q = text === "" ? -1 : q;
    if (this.#question.textContent !== text) this.#question.textContent = text;
  }

  /** @param {Clock | null} clock */
  #startCountdown(clock) {
    if (clock?.deadline === this.#clock?.deadline) return;
    this.#clock = clock;
    this.#warned = clock === null ? Infinity : (clock.deadline - this.now()) / 1000;
    window.clearInterval(this.#timer);
    if (clock !== null) this.#timer = window.setInterval(() => this.#checkTime(), CHECK_MS);
  }

  #checkTime() {
    if (this.#clock === null) return;
    const seconds = (this.#clock.deadline - this.now()) / 1000;
    const due = dueWarning(this.#warned, seconds);
    if (due !== null) this.#question.textContent = this.say.secondsLeft(due);
    this.#warned = Math.min(this.#warned, seconds);
    if (seconds < WARNINGS_S[WARNINGS_S.length - 1]) window.clearInterval(this.#timer);
  }
}
