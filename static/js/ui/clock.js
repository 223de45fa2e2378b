/**
 * The reader's own time: what is left of the time for this decision, then of the bank.
 * It draws itself as time goes by, against the server's clock.
 *
 * @typedef {import("../table/types.js").Clock} Clock
 */
import { remaining } from "../table/time.js";

const TICK_MS = 100;
export class ClockWidget extends HTMLElement {
  /** @type {Clock | null} */
  #clock = null;
  /** @type {number | undefined} */
  #timer;
  /** @type {() => number} server time */
  now = () => Date.now();

  connectedCallback() {
    this.setAttribute("role", "timer");
    this.#timer = window.setInterval(() => this.#tick(), TICK_MS);
  }

  disconnectedCallback() {
    window.clearInterval(this.#timer);
  }

  /** @param {Clock | null} clock */
  show(clock) {
    this.#clock = clock;
    this.hidden = clock === null;
    this.#tick();
  }

  #tick() {
    if (this.#clock === null) return;
    const { base, bank, urgent } = remaining(this.#clock, this.now());
    const text = base > 0 && bank > 0 ? `${base}+${bank}` : `${base + bank}`;
    if (this.textContent !== text) this.textContent = text;
    this.classList.toggle("is-bank", base === 0);
    this.classList.toggle("is-urgent", urgent);
  }
}
customElements.define("mj-clock", ClockWidget);
