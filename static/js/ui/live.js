/**
 * What is read aloud: a log of what has happened, which waits until the reader's screen reader
 * has finished, and the question put to the reader, which does not, with the last seconds for
 * it. Nobody sees either.
 *
 * @import { Words } from "../table/names.js"
 * @import { Clock } from "../table/types.js"
 */
import { WARNINGS_S, warning } from "../table/time.js";
import { el } from "./dom.js";

/** So much of the log can be read again. */
const KEPT = 30;
const LOOK_MS = 250;

export class Live {
  #log = el("div", "visually-hidden live");
  #question = el("p", "visually-hidden live");
  /** @type {string[]} what has happened and is not in the log yet */
  #news = [];
  #q = -1;
  /** @type {Clock | null} */
  #clock = null;
  #warned = Infinity;
  /** @type {number | undefined} */
  #timer;
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

  /** To be in the log when the table is drawn. @param {string} text what has happened; nothing if empty */
  add(text) {
    if (text !== "") this.#news.push(text);
  }

  /** Write into the log what has happened. */
  show() {
    const lines = this.#news.splice(0).slice(-KEPT);
    this.#log.append(...lines.map((text) => el("p", "", text)));
    while (this.#log.childElementCount > KEPT) this.#log.firstElementChild?.remove();
  }

  /**
   * Told once for each question.
   * @param {number} q
   * @param {string} text nothing is asked if empty
   * @param {Clock | null} clock
   */
  ask(q, text, clock) {
    this.#count(text === "" ? null : clock);
    if (q === this.#q && text !== "") return;
    this.#q = text === "" ? -1 : q;
    if (this.#question.textContent !== text) this.#question.textContent = text;
  }

  /** @param {Clock | null} clock */
  #count(clock) {
    if (clock?.deadline === this.#clock?.deadline) return;
    this.#clock = clock;
    this.#warned = clock === null ? Infinity : (clock.deadline - this.now()) / 1000;
    window.clearInterval(this.#timer);
    if (clock !== null) this.#timer = window.setInterval(() => this.#look(), LOOK_MS);
  }

  #look() {
    if (this.#clock === null) return;
    const seconds = (this.#clock.deadline - this.now()) / 1000;
    const due = warning(this.#warned, seconds);
    if (due !== null) this.#question.textContent = this.say.secondsLeft(due);
    this.#warned = Math.min(this.#warned, seconds);
    if (seconds < WARNINGS_S[WARNINGS_S.length - 1]) window.clearInterval(this.#timer);
  }
}
