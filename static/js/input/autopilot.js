/**
 * Carries out what an automatic has chosen: after a short delay, once for each question, and only if
 * the question and the planned action are still the same.
 *
 * @import { Action } from "../table/types.js"
 * @typedef {{q: number, action: Action}} Plan
 *
 * @typedef {object} Surroundings
 * @property {(q: number, action: Action) => boolean} answer whether it has been sent
 * @property {(call: () => void, ms: number) => any} later
 * @property {(timer: any) => void} cancel
 */
import { keyOf } from "../table/choices.js";

/** @type {Record<string, number>} */
const DELAYS_MS = { none: 350, dahai: 600, hora: 700 };
const DELAY_MS = 700;

export class Autopilot {
  /** @type {Plan | null} */
  #plan = null;
  /** @type {any} */
  #timer = undefined;
  /** The question last answered; after a refusal the reader answers it. */
  #tried = -1;
  #around;

  /** @param {Surroundings} around */
  constructor(around) {
    this.#around = around;
  }

  /**
   * Plan an action or none; call it whenever that may have changed.
   * @param {Plan | null} wanted
   * @returns {boolean} whether an action is planned
   */
  consider(wanted) {
    const plan = wanted !== null && wanted.q !== this.#tried ? wanted : null;
    if (isSame(plan, this.#plan)) return plan !== null;
    this.#around.cancel(this.#timer);
    this.#plan = plan;
    if (plan !== null) {
      const delay = DELAYS_MS[plan.action.type] ?? DELAY_MS;
      this.#timer = this.#around.later(() => this.#act(plan), delay);
    }
    return plan !== null;
  }

  /** @param {Plan} plan */
  #act(plan) {
    this.#plan = null;
    if (this.#around.answer(plan.q, plan.action)) this.#tried = plan.q;
  }
}

/** @param {Plan | null} one @param {Plan | null} other */
const isSame = (one, other) =>
  one === other ||
  (one !== null && other !== null && one.q === other.q && keyOf(one.action) === keyOf(other.action));
