/**
 * The figures of a review, as `/game/<id>/review.json` has them, and what is read from them. Pure.
 *
 * @typedef {{seat: number, rate: number, cases?: number, few?: boolean}} Danger
 * @typedef {{tenpai: number[], win: number[], points: number}} Curves chances by draw, in per mille
 *
 * @typedef {object} Choice
 * @property {"discard" | "chi" | "pon" | "kan" | "kita" | "pass" | "win" | "abort"} action
 * @property {string} [tile]
 * @property {string[]} [laid]
 * @property {number} [shanten]
 * @property {Record<string, number>} [useful]
 * @property {number} [unseen]
 * @property {Danger[]} [dangers]
 * @property {number} [danger]
 * @property {number} [value]
 * @property {number} [cost]
 * @property {number} [score]
 * @property {string[]} [labels]
 * @property {{declared: number, silent: number, gain: number}} [riichi]
 * @property {Curves} [curves]
 *
 * @typedef {object} Decision
 * @property {number} at
 * @property {number} hand
 * @property {number} dealer
 * @property {number} seat
 * @property {number} turn
 * @property {number} chosen
 * @property {Choice[]} choices
 * @property {{place: number, why: string, riichi?: boolean}} bot
 * @property {number} [loss]
 * @property {boolean} [riichi]
 * @property {string} [claimed]
 *
 * @typedef {object} Column what a reviewer would do
 * @property {string} name
 * @property {"queued" | "done" | "failed"} state
 * @property {number[]} [choices] by decision the place of its choice, or -1
 * @property {number[]} [riichi] the decisions at which it declares riichi
 *
 * @typedef {{efficient: number, efficient_of: number, safe: number, safe_of: number}} Accuracy
 * @typedef {{decisions: Decision[], dearest: number[][], accuracy: Accuracy[], reviewers?: Column[]}} Review
 * @typedef {{state: "none" | "queued" | "running" | "done" | "failed", done: number, review?: Review}} Answer
 * @typedef {{place: number, riichi: boolean}} Pick a choice, and whether it declares riichi
 */

const WINDS = ["E", "S", "W", "N"];

/** @param {string} text @param {Record<string, string | number>} values */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/**
 * The decisions at a position, those of the seat first.
 * @param {Review} review
 * @param {number} at
 * @param {number} seat
 */
export const decisionsAt = (review, at, seat) =>
  review.decisions
    .filter((decision) => decision.at === at)
    .sort((first, second) => Number(second.seat === seat) - Number(first.seat === seat));

/** The seat's first decision with a loss. @param {Review} review @param {number} seat */
export const firstLoss = ({ decisions, dearest }, seat) => decisions[Math.min(...dearest[seat])];

/**
 * The seat's next decision after a position, or else its last one before.
 * @param {Review} review
 * @param {number} at
 * @param {number} seat
 */
export function nearestDecision({ decisions }, at, seat) {
  const own = decisions.filter((decision) => decision.seat === seat);
  return own.find((decision) => decision.at > at) ?? own.at(-1);
}

/**
 * Whether the server that computed the review could not compute chances by draw: it does so for
 * every discard up to 3-shanten.
 * @param {Choice} choice
 */
export const lacksCurves = ({ action, shanten = Infinity, curves }) =>
  action === "discard" && shanten <= 3 && curves === undefined;

/**
 * The wind of a seat in the hand of a decision.
 * @param {Decision} decision
 * @param {number} seat
 * @param {number} players
 */
export const windIn = ({ dealer }, seat, players) => WINDS[(seat - dealer + players) % players];

/**
 * What the reviewers would do at a decision.
 * @param {Review} review
 * @param {Decision} decision
 * @returns {{name: string, place: number, riichi: boolean}[]} the place is -1 where there is no choice
 */
export function reviewersAt({ decisions, reviewers = [] }, decision) {
  const number = decisions.indexOf(decision);
  return reviewers
    .filter(({ choices = [] }) => number < choices.length)
    .map(({ name, choices = [], riichi = [] }) => ({
      name,
      place: choices[number],
      riichi: riichi.includes(number),
    }));
}

/**
 * How many decisions of a seat a reviewer has answered, and in how many of them it would do the same.
 * @param {Review} review
 * @param {Column} column
 * @param {number} seat
 */
export function agreement({ decisions }, { choices = [], riichi = [] }, seat) {
  let [same, of] = [0, 0];
  decisions.forEach((decision, number) => {
    const place = choices[number] ?? -1;
    if (decision.seat !== seat || place < 0) return;
    of += 1;
    same += Number(place === decision.chosen && (decision.riichi ?? false) === riichi.includes(number));
  });
  return { same, of };
}

/** Chances within so many draws, from 0 to 1. @param {number[]} steps in per mille */
export function curve(steps) {
  let sum = 0;
  return steps.map((step) => {
    sum += step;
    return sum / 1_000;
  });
}

/**
 * What the seat could pick: every choice, and riichi where it could be declared.
 * @param {Decision} decision
 * @returns {Pick[]} discards in the order of the hand
 */
export function picks({ choices }) {
  const all = choices.flatMap(({ riichi }, place) =>
    riichi === undefined ? [{ place, riichi: false }] : [false, true].map((declared) => ({ place, riichi: declared })),
  );
  const rank = (/** @type {Pick} */ { place, riichi }) => {
    const { action, tile = "" } = choices[place];
    return action === "discard" ? `${riichi ? 1 : 0}${order(tile)}` : "2";
  };
  return all.sort((first, second) => rank(first).localeCompare(rank(second)));
}

/** By how many points the bot rates a pick below its own choice. @param {Decision} decision @param {Pick} pick */
export function lossOf({ choices, bot }, pick) {
  const [best, made] = [choices[bot.place], choices[pick.place]];
  if (best.action === "abort" || made.action === "abort") return 0;
  return Math.max(0, rating(best, bot.riichi ?? false) - rating(made, pick.riichi));
}

/** @param {Choice} choice @param {boolean} isRiichi */
const rating = ({ score = 0, riichi }, isRiichi) => score + (isRiichi ? (riichi?.gain ?? 0) : 0);

/** The order of tiles in a hand: by suit, then by rank. @param {string} tile */
const order = (tile) => (tile.length === 1 ? `z${"ESWNPFC".indexOf(tile)}` : `${tile[1]}${tile[0]}${tile}`);
