/**
 * Prepares the server's answer to `study` for display, as far as the settings want it: one line
 * for the hand, or one for each discard that matters. Pure; knows no rules.
 *
 * @typedef {object} Worth
 * @property {number} han
 * @property {number} fu
 * @property {number} points
 *
 * @typedef {object} Wait
 * @property {string} pai
 * @property {number} left
 * @property {Worth | null} ron
 * @property {Worth | null} tsumo
 * @property {{ron: Worth | null, tsumo: Worth | null} | null} reach
 *
 * @typedef {object} Prospect
 * @property {number} shanten
 * @property {[string, number][]} useful
 * @property {Wait[]} waits
 * @property {string[]} furiten
 *
 * @typedef {object} Study
 * @property {number} q
 * @property {Prospect | null} hand
 * @property {{pai: string, tsumogiri: boolean, then: Prospect}[]} discards
 * @property {{pai: string, why: string}[]} kuikae
 *
 * @typedef {Pick<import("../settings.js").Values, (typeof HINT_KEYS)[number]>} Wanted
 *
 * @typedef {object} Pointed a tile of the hand that the reader points to
 * @property {string} pai
 * @property {boolean} drawn
 *
 * @typedef {object} HintWait
 * @property {string} pai
 * @property {number} left
 * @property {Worth | null} ron what it would bring, null if that is not to be shown
 * @property {Worth | null} tsumo
 *
 * @typedef {object} HintLine
 * @property {string[]} discards the tiles after whose discard it holds; none for the hand as it is
 * @property {boolean} isAny tenpai after any of these discards, with the waits of all of them
 * @property {HintWait[]} waits
 * @property {boolean} dead tenpai, but no such tile is left
 * @property {"" | "noYaku" | "noYakuRon"} warning
 * @property {boolean} declared the worth is that with riichi
 * @property {string[]} furiten the reasons
 * @property {number | null} shanten null if it is not to be shown
 * @property {[string, number][]} useful
 *
 * @typedef {object} Hints
 * @property {HintLine[]} lines
 * @property {{pai: string, why: string}[]} barred
 */
import { FACES } from "./tiles.js";

/** If more discards keep tenpai, they share a line, until the reader points to one of them. */
const MAX_LINES = 4;

/** @type {HintLine} */
const EMPTY = {
  discards: [],
  isAny: false,
  waits: [],
  dead: false,
  warning: "",
  declared: false,
  furiten: [],
  shanten: null,
  useful: [],
};

export const HINT_KEYS = /** @type {const} */ ([
  "hint_waits",
  "hint_furiten",
  "hint_no_yaku",
  "hint_kuikae",
  "hint_shanten",
  "hint_score",
]);

/**
 * The help that the reader wants: by default all of it against bots for beginners.
 * @param {Wanted & {hint_beginners: boolean}} settings
 * @param {boolean} hasBeginners
 * @returns {Wanted}
 */
export function wantedHints(settings, hasBeginners) {
  const isAll = hasBeginners && settings.hint_beginners;
  const wanted = HINT_KEYS.map((key) => [key, isAll || settings[key]]);
  return /** @type {Wanted} */ (Object.fromEntries(wanted));
}

/** @param {Wanted} wanted whether anything is to be shown at all */
export const isWanted = (wanted) => Object.values(wanted).includes(true);

/**
 * @param {Study} study
 * @param {Wanted} wanted
 * @param {{pointed: Pointed | null, riichi: readonly {pai?: string, tsumogiri?: boolean}[] | null,
 *   canWin: boolean}} now
 *   the tile pointed to; the discards that would declare riichi while one is being chosen; whether a
 *   win is offered, beside which the drawbacks of discards would mislead
 * @returns {Hints}
 */
export function hintsOf(study, wanted, { pointed, riichi, canWin }) {
  const lines = linesOf(study, wanted, pointed, riichi, canWin).filter(
    ({ waits, dead, furiten, shanten, warning }) =>
      waits.length > 0 || dead || furiten.length > 0 || shanten !== null || warning !== "",
  );
  return { lines, barred: wanted.hint_kuikae ? study.kuikae : [] };
}

/**
 * @param {Study} study
 * @param {Wanted} wanted
 * @param {Pointed | null} pointed
 * @param {readonly {pai?: string, tsumogiri?: boolean}[] | null} riichi
 * @param {boolean} canWin
 */
function linesOf({ hand, discards }, wanted, pointed, riichi, canWin) {
  if (hand !== null) return [lineOf([], hand, wanted, false)];
  const offered =
    riichi === null
      ? discards
      : discards.filter(({ pai, tsumogiri }) =>
          riichi.some((discard) => discard.pai === pai && discard.tsumogiri === tsumogiri),
        );
  const discard = offered.find(({ pai, tsumogiri }) => pai === pointed?.pai && tsumogiri === pointed.drawn);
  if (discard !== undefined) return [lineOf([discard.pai], discard.then, wanted, riichi !== null)];
  if (canWin && riichi === null) return [];
  const nearest = Math.min(...offered.map(({ then }) => then.shanten));
  const best = different(offered.filter(({ then }) => then.shanten === nearest));
  if (best.length === 0) return [];
  if (nearest > 0) return wanted.hint_shanten ? [summaryOf(best, nearest)] : [];
  if (best.length > MAX_LINES) return [anyTenpaiLine(best, wanted)];
  return best.map(({ pai, then }) => lineOf([pai], then, wanted, riichi !== null));
}

/** The first discard of each tile. @param {Study["discards"]} discards */
const different = (discards) =>
  discards.filter(({ pai }, at) => discards.findIndex((discard) => discard.pai === pai) === at);

/**
 * @param {string[]} discards
 * @param {Prospect} prospect
 * @param {Wanted} wanted
 * @param {boolean} declared
 */
function lineOf(discards, { shanten, useful, waits, furiten }, wanted, declared) {
  const worths = waits.map((wait) => (declared && wait.reach !== null ? wait.reach : wait));
  const score = (/** @type {Worth | null} */ worth) => (wanted.hint_score ? worth : null);
  const isTenpai = shanten === 0;
  return {
    discards,
    isAny: false,
    waits: wanted.hint_waits
      ? waits.map(({ pai, left }, at) => ({
          pai,
          left,
          ron: score(worths[at].ron),
          tsumo: score(worths[at].tsumo),
        }))
      : [],
    dead: wanted.hint_waits && isTenpai && waits.every(({ left }) => left === 0),
    warning: wanted.hint_no_yaku && waits.length > 0 ? warningOf(worths) : "",
    declared: declared && wanted.hint_score,
    furiten: wanted.hint_furiten ? lasting(furiten) : [],
    shanten: wanted.hint_shanten && !isTenpai ? shanten : null,
    useful: wanted.hint_shanten ? useful : [],
  };
}

/** Without a tile that went by if an own discard lasts longer. @param {string[]} reasons */
const lasting = (reasons) =>
  reasons.includes("own_discard") ? reasons.filter((reason) => reason !== "temporary") : reasons;

/** @param {{ron: Worth | null, tsumo: Worth | null}[]} worths @returns {HintLine["warning"]} */
function warningOf(worths) {
  if (worths.every(({ ron, tsumo }) => ron === null && tsumo === null)) return "noYaku";
  return worths.some(({ ron }) => ron === null) ? "noYakuRon" : "";
}

/**
 * All discards that keep tenpai: what the hand can wait for after one of them. What it would bring,
 * and what stands against it, depends on the discard.
 * @param {Study["discards"]} best
 * @param {Wanted} wanted
 * @returns {HintLine}
 */
function anyTenpaiLine(best, wanted) {
  const left = new Map(best.flatMap(({ then }) => then.waits.map(({ pai, left }) => [pai, left])));
  const kinds = FACES.filter((pai) => left.has(pai));
  return {
    ...EMPTY,
    discards: best.map(({ pai }) => pai),
    isAny: true,
    waits: wanted.hint_waits ? kinds.map((pai) => ({ pai, left: left.get(pai) ?? 0, ron: null, tsumo: null })) : [],
  };
}

/**
 * Of the discards with the least shanten, those with the most useful tiles.
 * @param {Study["discards"]} best
 * @param {number} shanten
 * @returns {HintLine}
 */
function summaryOf(best, shanten) {
  const count = (/** @type {Prospect} */ { useful }) => useful.reduce((sum, [, left]) => sum + left, 0);
  const most = Math.max(...best.map(({ then }) => count(then)));
  const widest = best.filter(({ then }) => count(then) === most);
  return {
    ...EMPTY,
    discards: widest.map(({ pai }) => pai),
    shanten,
    useful: widest[0].then.useful,
  };
}
