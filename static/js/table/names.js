/**
 * Texts of the table in the reader's language: loads one file of `names/` and fills numbers,
 * names and tiles into it. The code of pages and widgets calls the result `say`.
 *
 * @import { Texts } from "./names/en.js"
 * @typedef {ReturnType<typeof wordsOf>} Words
 * @typedef {{one: string, other: string}} Counted
 */

const MINUS = "\u2212";

/** Load the texts that the page preloads (`templates/game/names_preload.html`). @returns {Promise<Words>} */
export async function words() {
  const link = /** @type {HTMLLinkElement} */ (document.getElementById("words"));
  return wordsOf((await import(link.href)).texts);
}

/** @param {Texts} texts */
export function wordsOf(texts) {
  const { locale } = texts;
  const plural = new Intl.PluralRules(locale);
  const ordinals = new Intl.PluralRules(locale, { type: "ordinal" });
  const whole = new Intl.NumberFormat(locale);
  const list = new Intl.ListFormat(locale);
  const wholePercent = new Intl.NumberFormat(locale, { style: "percent" });
  const percent = new Intl.NumberFormat(locale, {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const hundredths = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

  /** @param {Counted} text @returns {(number: number) => string} */
  const counted = (text) => (number) =>
    filled(plural.select(number) === "one" ? text.one : text.other, { count: whole.format(number) });
  /** @param {string} text with `{tile}` @returns {(pai: string) => string} */
  const withTile = (text) => (pai) => filled(text, { tile: tile(pai) });
  /** @param {string} text with `{name}` @returns {(name: string) => string} */
  const withName = (text) => (name) => filled(text, { name });
  /** @param {number} count */
  const ordinal = (count) => filled(texts.ordinals[ordinals.select(count)] ?? texts.ordinals.other, { count });

  /** @param {number} number @param {Intl.NumberFormat} format */
  const signed = (number, format) => `${number > 0 ? "+" : number < 0 ? MINUS : ""}${format.format(Math.abs(number))}`;

  /** @param {string} pai */
  const tile = (pai) => {
    if (pai === "?") return texts.closedTile;
    if (pai in texts.honours) return texts.honours[pai];
    const parts = { rank: texts.ranks[pai[0]], suit: texts.suits[pai[1]] };
    return filled(pai.endsWith("r") ? texts.redTile : texts.tile, parts);
  };

  /** @param {string} wind @param {number} number */
  const round = (wind, number) => filled(texts.round, { wind: texts.winds[wind], number });

  return {
    ...texts,
    tile,
    /**
     * A tile with what is to be known of it.
     * @param {string} pai
     * @param {{dora?: boolean, drawn?: boolean, tsumogiri?: boolean, riichi?: boolean, taken?: boolean,
     *   caller?: string}} marks `caller`: who has taken it, if that is known
     */
    marked(pai, { dora, drawn, tsumogiri, riichi, taken, caller = "" }) {
      const { marks } = texts;
      const calledBy = caller === "" ? marks.taken : filled(marks.takenBy, { name: caller });
      return [
        tile(pai),
        dora && marks.dora,
        drawn && marks.drawn,
        tsumogiri && marks.tsumogiri,
        riichi && marks.riichi,
        taken && calledBy,
      ]
        .filter(Boolean)
        .join(texts.comma);
    },
    /** @param {string} pai @param {string} indicator */
    doraShown: (pai, indicator) => filled(texts.doraShown, { tile: tile(pai), indicator: tile(indicator) }),
    /** @param {string} type @param {string} from whose discard it has taken; empty for a closed kan */
    meldFrom: (type, from) =>
      from === "" ? texts.fuParts.closed_kan : filled(texts.meldFrom, { call: texts.calls[type], name: from }),
    closedTiles: counted(texts.closedTiles),
    /** @param {{name: string, wind: string}} seat */
    handOf: ({ name, wind }) => filled(texts.handOf, { name, wind: texts.winds[wind] }),
    /** @param {{name: string}} seat */
    meldsOf: ({ name }) => filled(texts.meldsOf, { name }),
    /** @param {{name: string, wind: string}} seat @param {number} riichi the number of its riichi tile, 0 for none */
    riverOf: ({ name, wind }, riichi) => {
      const parts = { name, wind: texts.winds[wind], nth: ordinal(riichi) };
      return filled(riichi > 0 ? texts.riverRiichi : texts.riverOf, parts);
    },
    round,
    /** @param {string} wind @param {number} number @param {number} honba */
    handName: (wind, number, honba) =>
      honba > 0
        ? filled(texts.handName, { round: round(wind, number), honba: counted(texts.honba)(honba) })
        : round(wind, number),
    /** @param {number} times */
    yakumanTimes: (times) => texts.yakumans[times] ?? filled(texts.yakumanTimes, { times }),
    /** @param {number} place */
    place: (place) => texts.places[place],
    han: counted(texts.han),
    fu: counted(texts.fu),
    /** @param {number} han @param {number} fu */
    hanAndFu: (han, fu) => filled(texts.hanAndFu, { han: counted(texts.han)(han), fu: counted(texts.fu)(fu) }),
    left: counted(texts.left),
    norths: counted(texts.norths),
    honba: counted(texts.honba),
    sticks: counted(texts.sticks),
    /** @param {number} number */
    times: (number) => filled(texts.times, { number: new Intl.NumberFormat(locale).format(number) }),
    /** @param {number} points */
    points: (points) => `${points < 0 ? MINUS : ""}${whole.format(Math.abs(points))}`,
    /** @param {number} share @returns {string} with one decimal */
    percent: (share) => percent.format(share),
    /** @param {number} share */
    wholePercent: (share) => wholePercent.format(share),
    /** @param {number} places @returns {string} with two decimals */
    places: (places) => hundredths.format(places),
    /** @param {number} places */
    signedPlaces: (places) => signed(places, hundredths),
    /** @param {number} delta */
    delta: (delta) => (delta === 0 ? "" : signed(delta, whole)),
    /** @param {number} score thousands with uma */
    final: (score) => signed(score, tenths),
    /** @param {string} pai @param {number} left */
    unseen: (pai, left) => filled(texts.unseen, { tile: tile(pai), count: left }),
    toTenpai: counted(texts.toTenpai),
    useful: counted(texts.useful),
    afterDiscard: withTile(texts.afterDiscard),
    kinds: counted(texts.kinds),
    counted: withTile(texts.countedTile),
    /** @param {number} exact @param {number} rounded */
    roundedUp: (exact, rounded) => filled(texts.roundedUp, { exact, rounded }),
    /** @param {"pause" | "end"} choice @param {string[]} names who want it */
    wanted: (choice, names) => filled(texts.wanted[choice], { names: list.format(names) }),
    /** @param {string} reason */
    because: (reason) => filled(texts.requests.reason, { reason }),
    /** @param {string} time */
    roundTime: (time) => filled(texts.roundTime, { time }),
    /** @param {string} time */
    roundStopped: (time) => filled(texts.roundStopped, { time }),
    /** @param {number} points */
    ownStick: (points) => filled(texts.ownStick, { points: signed(-points, whole) }),
    /** @param {string[]} names */
    paysTo: (names) => filled(texts.paysTo, { names: list.format(names) }),
    /** @param {string[]} names */
    wantRematch: (names) => filled(texts.wantRematch, { names: list.format(names) }),
    responsible: withName(texts.responsible),
    ronFrom: withName(texts.ronFrom),
    /** The level of a bot; empty for a player. @param {string} level */
    botLevel: (level) => texts.bot[level] ?? "",
    /** The name of a bot with its level. @param {string} name @param {string} level */
    botName: (name, level) => (level in texts.bot ? filled(texts.botName, { name, level: texts.bot[level] }) : name),
    /** @param {string} name @param {number} rating */
    ratedName: (name, rating) => filled(texts.ratedName, { name, rating: `${rating}` }),
    /** @param {string} name @param {string} call */
    calledBy: (name, call) => filled(texts.calledBy, { name, call }),
    /** @param {string} name @param {string} pai */
    discarded: (name, pai) => filled(texts.discarded, { name, tile: tile(pai) }),
    youDiscard: withTile(texts.youDiscard),
    youDraw: withTile(texts.youDraw),
    /** @param {string} wind */
    youAre: (wind) => filled(texts.youAre, { wind: texts.winds[wind] }),
    /** @param {number} points */
    yourPoints: (points) => filled(texts.yourPoints, { points: whole.format(points) }),
    secondsLeft: counted(texts.secondsLeft),
    /** @param {number} ms */
    trip: (ms) => filled(texts.trip, { ms: whole.format(ms) }),
    watchers: counted(texts.watchers),
    behind: counted(texts.behind),
    behindGame: counted(texts.behindGame),
    /** @param {number} number */
    turnOf: (number) => filled(texts.turnOf, { number }),
    lookBack: { ...texts.lookBack, behind: counted(texts.lookBack.behind) },
    isAway: withName(texts.isAway),
    isCutOff: withName(texts.isCutOff),
    isConnected: withName(texts.isConnected),
    isBack: withName(texts.isBack),
    hasLeft: withName(texts.hasLeft),
    hasSatDown: withName(texts.hasSatDown),
    wall: {
      ...texts.wall,
      /** @param {number} count @param {number} draw */
      fixed: (count, draw) => filled(counted(texts.wall.fixed)(count), { draw }),
      voids: counted(texts.wall.voids),
      fitsOthers: counted(texts.wall.fitsOthers),
      untilEnd: counted(texts.wall.untilEnd),
      withoutEnd: counted(texts.wall.withoutEnd),
      /** @param {import("../wall/verify.js").Problem} problem @param {readonly string[]} names by seat */
      problem: ({ what, draw = 0, seat = 0, line = 0 }, names) =>
        filled(texts.wall.problems[what] ?? what, { draw, line, name: names[seat] ?? "" }),
      /** @param {number} draw @param {boolean} isVoid */
      drawNumber: (draw, isVoid) => filled(isVoid ? texts.wall.voidDraw : texts.wall.drawNumber, { draw }),
      bytes: withName(texts.wall.bytes),
      commitment: withName(texts.wall.commitment),
    },
    /** @param {{code: string, reason?: string, text: string}} error as the server sends it */
    refusal: ({ code, reason, text }) => (reason === undefined ? texts.errors[code] : texts.reasons[reason]) ?? text,
  };
}

/**
 * Replace each `{name}` in a text by its part.
 * @param {string} text
 * @param {Record<string, string | number>} parts
 */
function filled(text, parts) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => `${parts[name] ?? whole}`);
}
