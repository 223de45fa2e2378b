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
 * @property {number} [loss] in points, as the next two against the bot's choice
 * @property {number} [place_loss] in places
 * @property {Severity} [severity]
 * @property {number} [worth] of 1,000 points, in places
 * @property {string} [standing] a byte for each choice, in base64: see `stepsOf`
 * @property {string[]} [gained]
 * @property {string[]} [given_up]
 * @property {boolean} [riichi]
 * @property {string} [claimed]
 *
 * @typedef {"best" | "good" | "inaccuracy" | "mistake" | "blunder"} Severity
 * @typedef {{step: number, silence: number, severities: Record<Severity, number>}} Scale
 *
 * @typedef {object} Verdict
 * @property {{phase: string, percent: number, decisions: number}[]} accuracy
 * @property {Record<Severity, number>} severities
 * @property {number} luck
 * @property {number} luck_error
 * @property {string} habit
 * @property {number} habit_times
 * @property {number} habit_loss
 *
 * @typedef {object} Column what a reviewer would do
 * @property {string} name
 * @property {"queued" | "done" | "failed"} state
 * @property {number[]} [choices] by decision the place of its choice, or -1
 * @property {number[]} [riichi] the decisions at which it declares riichi
 *
 * @typedef {{efficient: number, efficient_of: number, safe: number, safe_of: number}} Accuracy
 * @typedef {object} Review
 * @property {Decision[]} decisions
 * @property {number[][]} dearest
 * @property {Accuracy[]} accuracy
 * @property {Verdict[]} verdicts
 * @property {number[][]} places
 * @property {Scale} scale
 * @property {boolean} [unlike_fitted] whether the rules differ from those of the strong players' games
 * @property {Column[]} [reviewers]
 *
 * @typedef {{curves: (Curves | null)[], worth_most: number[]}} AllCurves
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
 * Whether a choice has no chances by draw here: every discard up to 3-shanten can have them. A review
 * has those of the choice that was made and of the bot's.
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

/**
 * By how much the network of strong players rates each choice below the one that it rates highest, in
 * steps; `NOT_RATED` where it does not know a choice. Empty where it knows fewer than two.
 * @param {Decision} decision
 */
export const stepsOf = ({ standing = "" }) => Array.from(atob(standing), (letter) => letter.charCodeAt(0));

const NOT_RATED = 255;
/** Steps of a factor e between two probabilities. */
const STEPS = 25;

/**
 * The probability that a strong player makes each choice; undefined where it is not known.
 * @param {Decision} decision
 * @returns {(number | undefined)[]}
 */
export function sharesOf(decision) {
  const weights = stepsOf(decision).map((step) => (step === NOT_RATED ? undefined : Math.exp(-step / STEPS)));
  const total = weights.reduce((/** @type {number} */ sum, weight = 0) => sum + weight, 0);
  return weights.map((weight) => (weight === undefined ? undefined : weight / total));
}

/**
 * By how many points a pick is worth less than the bot's choice, as the server computes it for the one
 * that was made (`game/reviews/losses.py`).
 * @param {Decision} decision
 * @param {Pick} pick
 * @param {Scale} scale
 */
export function lossOf(decision, pick, { step, silence }) {
  const { choices, bot } = decision;
  const [best, made] = [choices[bot.place], choices[pick.place]];
  if (best.action === "abort" || made.action === "abort") return 0;
  const gained = riichiGain(best, bot.riichi ?? false) - riichiGain(made, pick.riichi);
  const steps = stepsOf(decision);
  const [first, second] = [steps[bot.place] ?? NOT_RATED, steps[pick.place] ?? NOT_RATED];
  const isRated = first !== NOT_RATED && second !== NOT_RATED;
  const apart = isRated ? (second - first) * step : (best.score ?? 0) - (made.score ?? 0);
  return Math.max(0, Math.round(apart + gained * (bot.riichi && !pick.riichi ? silence : 1)));
}

/** @param {Choice} choice @param {boolean} isRiichi */
const riichiGain = ({ riichi }, isRiichi) => (isRiichi ? (riichi?.gain ?? 0) : 0);

/**
 * The loss of a pick in places.
 * @param {Decision} decision
 * @param {Pick} pick
 * @param {Scale} scale
 */
export const placeLossOf = (decision, pick, scale) => (lossOf(decision, pick, scale) * (decision.worth ?? 0)) / 1_000;

/**
 * The name of a loss in places.
 * @param {number} loss
 * @param {Scale} scale
 */
export function severityOf(loss, { severities }) {
  const names = /** @type {Severity[]} */ (Object.keys(severities));
  return names.filter((name) => loss >= severities[name]).at(-1) ?? names[0];
}

/** The order of tiles in a hand: by suit, then by rank. @param {string} tile */
const order = (tile) => (tile.length === 1 ? `z${"ESWNPFC".indexOf(tile)}` : `${tile[1]}${tile[0]}${tile}`);
