/**
 * The reader's clock, in the server's time: the time for this decision, then the bank, and a bar for
 * the one that runs. In the last seconds it dispatches `clock-urgent` once a second.
 *
 * @import { Clock } from "../table/types.js"
 */
import { remainingSeconds, remainingShare } from "../table/time.js";
import { el, hide, setText } from "./dom.js";

const TICK_MS = 100;

export class ClockWidget extends HTMLElement {
  /** @type {Clock | null} */
  #clock = null;
  /** @type {number | undefined} */
  #timer;
  #announced = Infinity;
  #base = el("span", "clock-base");
  #bank = el("span", "clock-bank");
  #bar = el("i", "clock-bar");
  /** @type {() => number} server time */
  now = () => Date.now();

  connectedCallback() {
    this.setAttribute("role", "timer");
    if (this.#base.parentElement === null) this.append(this.#base, this.#bank, this.#bar);
    this.#run();
  }

  disconnectedCallback() {
    this.#stop();
  }

  /** @param {Clock | null} clock without an urgent warning if `base_ms` is infinite */
  show(clock) {
    if (clock?.deadline !== this.#clock?.deadline) this.#announced = Infinity;
    this.#clock = clock;
    hide(this, clock === null);
    this.#run();
  }

  #run() {
    this.#stop();
    if (this.#clock === null || !this.isConnected) return;
    this.#timer = window.setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  #stop() {
    window.clearInterval(this.#timer);
  }

  #tick() {
    const clock = this.#clock;
    if (clock === null) return;
    const { base, bank, urgent } = remainingSeconds(clock, this.now());
    const isPressing = urgent && Number.isFinite(clock.base_ms);
    setText(this.#base, base > 0 || bank === 0 ? `${base}` : "");
    setText(this.#bank, bank > 0 ? (base > 0 ? `+${bank}` : `${bank}`) : "");
    this.#bar.style.transform = `scaleX(${remainingShare(clock, this.now()).toFixed(3)})`;
    this.classList.toggle("is-bank", base === 0);
    this.classList.toggle("is-urgent", isPressing);
    if (isPressing) this.#announce(base + bank);
  }

  /** @param {number} left seconds */
  #announce(left) {
    if (left <= 0 || left >= this.#announced) return;
    this.#announced = left;
    this.dispatchEvent(new CustomEvent("clock-urgent", { bubbles: true, detail: { left } }));
  }
}
customElements.define("mj-clock", ClockWidget);
