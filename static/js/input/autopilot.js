/**
 * Carries out what an automatic has chosen: after a short delay, once for each question, and only if
 * the question and the planned action are still the same.
 *
 * @import { Action } from "../table/types.js"
 * @typedef {{q: number, action: Action}} Plan
 *
 * @typedef {object} Environment
 * @property {(q: number, action: Action) => boolean} answer whether it has been sent
 * @property {(call: () => void, ms: number) => any} later
 * @property {(timer: any) => void} cancel
 */
import { actionKey } from "../table/choices.js";

/** @type {Record<string, number>} */
const DELAYS_MS = { none: 350, kita: 350, dahai: 600, hora: 700 };
const DELAY_MS = 700;

export class Autopilot {
  /** @type {Plan | null} */
  #plan = null;
  /** @type {any} */
  #timer = undefined;
  /** The question last answered; after a refusal the reader answers it. */
  #answered = -1;
  #environment;

  /** @param {Environment} environment */
  constructor(environment) {
    this.#environment = environment;
  }

  /**
   * Plan an action or none; call it whenever that may have changed.
   * @param {Plan | null} wanted
   * @returns {boolean} whether an action is planned
   */
  setPlan(wanted) {
    const plan = wanted !== null && wanted.q !== this.#answered ? wanted : null;
    if (isSame(plan, this.#plan)) return plan !== null;
    this.#environment.cancel(this.#timer);
    this.#plan = plan;
    if (plan !== null) {
      const delay = DELAYS_MS[plan.action.type] ?? DELAY_MS;
      this.#timer = this.#environment.later(() => this.#act(plan), delay);
    }
    return plan !== null;
  }

  /** @param {Plan} plan */
  #act(plan) {
    this.#plan = null;
    if (this.#environment.answer(plan.q, plan.action)) this.#answered = plan.q;
  }
}

/** @param {Plan | null} first @param {Plan | null} second */
const isSame = (first, second) =>
  first === second ||
  (first !== null && second !== null && first.q === second.q && actionKey(first.action) === actionKey(second.action));
