/**
 * The words of the table in the reader's language. The texts are files in `names/`, of which
 * one is loaded; here they get their numbers, names and tiles.
 *
 * @import { Texts } from "./names/en.js"
 * @typedef {ReturnType<typeof wordsOf>} Words
 * @typedef {{one: string, other: string}} Counted
 */

/** @type {Record<string, () => Promise<{texts: Texts}>>} */
const LANGUAGES = {
  en: () => import("./names/en.js"),
  fr: () => import("./names/fr.js"),
  ja: () => import("./names/ja.js"),
};

const MINUS = "\u2212";

/**
 * @param {string} language as in `<html lang>`, for example `fr` or `fr-CA`
 * @returns {Promise<Words>} in English where there is no such language
 */
export async function words(language) {
  const load = LANGUAGES[language.toLowerCase().split("-")[0]] ?? LANGUAGES.en;
  return wordsOf((await load()).texts);
}

/** @param {Texts} texts */
export function wordsOf(texts) {
  const { locale } = texts;
  const plural = new Intl.PluralRules(locale);
  const whole = new Intl.NumberFormat(locale);
  const list = new Intl.ListFormat(locale);
  const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

  /** @param {Counted} counted @param {number} count */
  const count = ({ one, other }, count) =>
    filled(plural.select(count) === "one" ? one : other, { count: whole.format(count) });

  /** @param {number} number @param {Intl.NumberFormat} format */
  const signed = (number, format) =>
    `${number > 0 ? "+" : number < 0 ? MINUS : ""}${format.format(Math.abs(number))}`;

  /** @param {string} pai */
  const tile = (pai) => {
    if (pai === "?") return texts.closedTile;
    if (pai in texts.honours) return texts.honours[pai];
    const parts = { rank: texts.ranks[pai[0]], suit: texts.suits[pai[1]] };
    return filled(pai.endsWith("r") ? texts.redTile : texts.tile, parts);
  };

  return {
    ...texts,
    tile,
    /** @param {string} pai @param {{dora: boolean, taken: boolean}} marks */
    marked(pai, { dora, taken }) {
      const named = dora ? filled(texts.doraTile, { tile: tile(pai) }) : tile(pai);
      return taken ? filled(texts.takenTile, { tile: named }) : named;
    },
    /** @param {string} wind @param {number} number */
    round: (wind, number) => filled(texts.round, { wind: texts.winds[wind], number }),
    /** @param {number} times */
    yakumanTimes: (times) => texts.yakumans[times] ?? filled(texts.yakumanTimes, { times }),
    /** @param {number} place */
    place: (place) => texts.places[place],
    /** @param {number} han */
    han: (han) => count(texts.han, han),
    /** @param {number} fu */
    fu: (fu) => count(texts.fu, fu),
    /** @param {number} tiles */
    left: (tiles) => count(texts.left, tiles),
    /** @param {number} honba */
    honba: (honba) => count(texts.honba, honba),
    /** @param {number} sticks */
    sticks: (sticks) => count(texts.sticks, sticks),
    /** @param {number} points */
    points: (points) => `${points < 0 ? MINUS : ""}${whole.format(Math.abs(points))}`,
    /** @param {number} delta */
    delta: (delta) => (delta === 0 ? "" : signed(delta, whole)),
    /** @param {number} score thousands with uma */
    final: (score) => signed(score, tenths),
    /** @param {string} pai @param {number} left */
    unseen: (pai, left) => filled(texts.unseen, { tile: tile(pai), count: left }),
    /** @param {number} shanten */
    toTenpai: (shanten) => count(texts.toTenpai, shanten),
    /** @param {number} tiles */
    useful: (tiles) => count(texts.useful, tiles),
    /** @param {string} pai */
    afterDiscard: (pai) => filled(texts.afterDiscard, { tile: tile(pai) }),
    /** @param {number} kinds */
    kinds: (kinds) => count(texts.kinds, kinds),
    /** @param {string} pai */
    counted: (pai) => filled(texts.countedTile, { tile: tile(pai) }),
    /** @param {number} exact @param {number} rounded */
    roundedUp: (exact, rounded) => filled(texts.roundedUp, { exact, rounded }),
    /** @param {"pause" | "end"} motion @param {string[]} names who want it */
    wanted: (motion, names) => filled(texts.wanted[motion], { names: list.format(names) }),
    /** @param {string[]} names */
    paysTo: (names) => filled(texts.paysTo, { names: list.format(names) }),
    /** @param {string} name */
    responsible: (name) => filled(texts.responsible, { name }),
    /** @param {string} name */
    ronFrom: (name) => filled(texts.ronFrom, { name }),
    /** @param {string} name @param {string} call */
    said: (name, call) => filled(texts.said, { name, call }),
    /** @param {string} name @param {string} pai */
    discarded: (name, pai) => filled(texts.discarded, { name, tile: tile(pai) }),
    /** @param {string} pai */
    youDiscard: (pai) => filled(texts.youDiscard, { tile: tile(pai) }),
    /** @param {string} pai */
    youDraw: (pai) => filled(texts.youDraw, { tile: tile(pai) }),
    /** @param {string} wind */
    youAre: (wind) => filled(texts.youAre, { wind: texts.winds[wind] }),
    /** @param {string} pai */
    newDora: (pai) => filled(texts.newDora, { tile: tile(pai) }),
    /** @param {number} points */
    yourPoints: (points) => filled(texts.yourPoints, { points: whole.format(points) }),
    /** @param {number} seconds */
    secondsLeft: (seconds) => count(texts.secondsLeft, seconds),
    /** @param {number} ms */
    trip: (ms) => filled(texts.trip, { ms: whole.format(ms) }),
    /** @param {number} people */
    watchers: (people) => count(texts.watchers, people),
    /** @param {number} minutes */
    behind: (minutes) => count(texts.behind, minutes),
    /** @param {number} minutes */
    behindGame: (minutes) => count(texts.behindGame, minutes),
    /** @param {string} name */
    isAway: (name) => filled(texts.isAway, { name }),
    /** @param {string} name */
    isBack: (name) => filled(texts.isBack, { name }),
    /** @param {{code: string, reason?: string, text: string}} error as the server sends it */
    refusal: ({ code, reason, text }) =>
      (reason === undefined ? texts.errors[code] : texts.reasons[reason]) ?? text,
  };
}

/**
 * The text with what belongs between its braces.
 * @param {string} text
 * @param {Record<string, string | number>} parts
 */
function filled(text, parts) {
  return text.replace(/\{(\w+)\}/g, (_, name) => `${parts[name]}`);
}
