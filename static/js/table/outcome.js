/**
 * Prepares the end of a hand or a game for the widgets: wins with their payments, draws with the
 * tiles that caused them, the final ranking. Pure.
 *
 * @import { MeldTile } from "./melds.js"
 * @import { DrawnHand, View, Win } from "./types.js"
 *
 * @typedef {ReturnType<typeof payments>[number]} Payment
 * @typedef {ReturnType<typeof winPane>} WinPane
 * @typedef {ReturnType<typeof shownHand>} ShownHand
 * @typedef {ReturnType<typeof drawPane>} DrawPane
 * @typedef {WinPane | DrawPane} Pane
 */
import { windOf } from "./display.js";
import { meldTiles } from "./melds.js";
import { doraOf, kindOf } from "./tiles.js";
import { tierOf } from "./win_tiers.js";

const STICK = 1000;
/** The gap between two groups of tiles, and before the winning tile, in widths of a tile. */
export const GAP = 0.35;
/** The width of a turned tile, in widths of an upright one. */
const TURNED = 4 / 3;
/** How far a north that lies half on another one reaches beyond it, in widths of a tile. */
const NORTH = 0.58;
/** The width of a tile in a list of waits. */
const WAIT = 0.8;

/** Whether the game was ended in the middle of a hand. @param {View} view */
function hasAbandonedHand({ phase, results }) {
  const last = results.at(-1);
  return phase === "ended" && last?.type === "ryukyoku" && last.reason === "abandoned";
}

/**
 * Whether the game was ended before the rules end it, so that it does not count. Older records say so
 * only by their abandoned hand.
 * @param {View} view
 */
export const isBrokenOff = (view) => view.broken_off === true || hasAbandonedHand(view);

/**
 * The panes at the end of a hand: one for each win, or one for a draw. A hand that was abandoned at the
 * end of the game has none, because the page of the ranking says everything.
 * @param {View} view
 * @returns {Pane[]}
 */
export function panes(view) {
  if (hasAbandonedHand(view)) return [];
  const sticks = riichiPaidBySeat(view);
  return view.results.map((result, at) => {
    const counted = at === 0 ? sticks : noSticks(view);
    return result.type === "hora" ? winPane(view, result, counted) : drawPane(view, result, counted);
  });
}

/**
 * What each seat paid for its riichi in this hand, in points, by seat. The `deltas` of results do not
 * include it.
 * @param {View} view
 */
function riichiPaidBySeat(view) {
  const { history, results } = view;
  const before = history.at(-1)?.[3];
  const after = results.at(-1)?.scores;
  if (before === undefined || after === undefined) return noSticks(view);
  return before.map((score, seat) => {
    const change = results.reduce((sum, { deltas }) => sum + deltas[seat], 0);
    return score + change - after[seat] === STICK ? STICK : 0;
  });
}

/** @param {View} view @returns {number[]} */
const noSticks = ({ hands }) => hands.map(() => 0);

/** @param {View} view @param {number} seat */
const meldsOf = ({ hands }, seat) => hands[seat].melds.map((meld) => meldTiles(meld, seat, hands.length));

/** @param {View} view @returns {number[]} from the dealer on */
const seatsOf = ({ oya, hands }) => hands.map((_, turn) => (oya + turn) % hands.length);

/**
 * How wide tiles, melds and norths set aside are beside each other, counted in tiles.
 * @param {number} tiles
 * @param {MeldTile[][]} melds
 * @param {number} [norths]
 */
export function widthOf(tiles, melds, norths = 0) {
  const laid = melds.map((meld) => meld.reduce((sum, { turned }) => sum + (turned ? TURNED : 1), GAP));
  const pile = norths > 0 ? GAP + 1 + (norths - 1) * NORTH : 0;
  return laid.reduce((sum, width) => sum + width, tiles + pile);
}

/**
 * Whether riichi sticks were given back: only then does a chombo bring more than it costs.
 * @param {Win | DrawnHand} result
 */
const givesSticksBack = (result) =>
  result.type === "ryukyoku" && result.reason === "chombo" && result.deltas.reduce((sum, delta) => sum + delta, 0) > 0;

/**
 * How the points of each seat change, its riichi stick included, from the dealer on; `to` is empty for
 * a seat that pays nobody.
 * @param {View} view
 * @param {Win | DrawnHand} result
 * @param {number[]} sticks what each seat paid for its riichi, by seat
 * @param {number} [liable] the seat responsible for the hand
 */
function payments(view, result, sticks, liable = -1) {
  const seats = seatsOf(view);
  const named = (/** @type {number} */ seat) => ({ wind: windOf(view, seat), name: view.names[seat] });
  const paid = seats.filter((seat) => result.deltas[seat] > 0).map(named);
  return seats.map((seat) => ({
    seat,
    ...named(seat),
    delta: result.deltas[seat] - sticks[seat],
    /** The part of the change that was paid for riichi. */
    stick: givesSticksBack(result) ? 0 : sticks[seat],
    score: result.scores[seat],
    to: result.deltas[seat] < 0 ? paid : [],
    liable: seat === liable && result.deltas[seat] < 0,
  }));
}

/** What the winner gets: for the hand, for honba and for riichi sticks, in points. @param {Win} win */
function flowOf({ deltas, points }) {
  const paid = -deltas.reduce((sum, delta) => sum + Math.min(delta, 0), 0);
  const total = deltas.reduce((sum, delta) => sum + Math.max(delta, 0), 0);
  return { points, honba: paid - points, sticks: total - paid, total };
}

/** Indicators with the kind that each makes dora. @param {View} view @param {string[]} tiles */
const indicators = ({ hands }, tiles) => tiles.map((pai) => ({ pai, kind: doraOf(pai, hands.length) }));

/** @param {View} view @param {Win} win @param {number[]} sticks */
function winPane(view, win, sticks) {
  const melds = meldsOf(view, win.actor);
  const { norths = 0 } = view.hands[win.actor];
  return {
    kind: /** @type {const} */ ("win"),
    winner: view.names[win.actor],
    loser: win.actor === win.target ? null : view.names[win.target],
    tiles: win.tehai,
    pai: win.pai,
    melds,
    /** How many norths the winner has set aside. */
    norths,
    /** The width of the whole hand, in tiles. */
    width: widthOf(win.tehai.length + 1 + GAP, melds, norths),
    dora: indicators(view, view.dora),
    ura: indicators(view, win.uradora_markers),
    yaku: win.yaku,
    han: win.fan,
    fu: win.fu,
    fuParts: win.fu_parts.map(([id, fu, pai]) => ({ id, fu, pai })),
    /** The fu before they are rounded up. */
    fuSum: win.fu_parts.reduce((sum, [, fu]) => sum + fu, 0),
    yakuman: win.yakuman,
    limit: win.limit,
    tier: tierOf(win),
    points: win.points,
    liable: win.liable >= 0 ? view.names[win.liable] : null,
    flow: flowOf(win),
    payments: payments(view, win, sticks, win.liable),
  };
}

/** @param {View} view @param {DrawnHand} draw @param {number[]} sticks */
function drawPane(view, draw, sticks) {
  const hands = seatsOf(view).map((seat) => shownHand(view, draw, seat));
  const by = draw.actor >= 0 ? [draw.actor] : draw.offenders;
  return {
    kind: /** @type {const} */ ("draw"),
    reason: draw.reason,
    foul: draw.foul,
    /** The seats that declared the draw, or are at fault. */
    by: by.map((seat) => view.names[seat]),
    /** How many kinds of terminals and honours caused the draw. */
    kinds: Math.max(...hands.map(({ marked }) => marked.filter(Boolean).length)),
    hasTenpai: draw.reason === "exhaustive" || draw.reason === "nagashi_mangan",
    hands,
    payments: payments(view, draw, sticks),
  };
}

/**
 * The open tiles of a seat: its hand, or what caused the draw.
 * @param {View} view
 * @param {DrawnHand} draw
 * @param {number} seat
 */
function shownHand(view, draw, seat) {
  const { river } = view.hands[seat];
  let tiles = draw.tehais[seat];
  let melds = tiles.length > 0 ? meldsOf(view, seat) : [];
  if (draw.nagashi.includes(seat)) [tiles, melds] = [river.map(({ pai }) => pai), []];
  else if (draw.reason === "sufon_renda") tiles = river.slice(0, 1).map(({ pai }) => pai);
  else if (draw.reason === "sukaikan") melds = meldsOf(view, seat).filter(isKan);
  const waits = draw.nagashi.includes(seat) ? [] : openWaits(view, draw, seat);
  return {
    wind: windOf(view, seat),
    name: view.names[seat],
    tenpai: draw.tenpais[seat],
    nagashi: draw.nagashi.includes(seat),
    offender: draw.offenders.includes(seat),
    tiles,
    /** Which of the tiles caused the draw. */
    marked: draw.reason === "kyushu_kyuhai" ? firstOrphans(tiles) : tiles.map(() => false),
    melds,
    /** What the hand waited for. */
    waits,
    width: widthOf(tiles.length, melds) + (waits.length > 0 ? 2 * GAP + waits.length * WAIT : 0),
  };
}

/**
 * The waits of a shown hand of which it does not hold all four tiles itself.
 * @param {View} view
 * @param {DrawnHand} draw
 * @param {number} seat
 */
function openWaits(view, { tehais, waits = [] }, seat) {
  const laid = view.hands[seat].melds.flatMap(({ tiles }) => tiles);
  const held = [...tehais[seat], ...laid].map(kindOf);
  return (waits[seat] ?? []).filter((wait) => held.filter((kind) => kind === wait).length < 4);
}

/** @param {MeldTile[]} meld */
const isKan = (meld) => meld.length === 4 || meld.some(({ added }) => added !== null);

/**
 * Which of the tiles are terminals or honours, the first of each kind.
 * @param {string[]} tiles
 */
function firstOrphans(tiles) {
  return tiles.map((pai, at) => /^[19ESWNPFC]/.test(pai) && tiles.findIndex((tile) => kindOf(tile) === pai) === at);
}

/**
 * The final ranking, first place first. `base` are the points without uma and oka.
 * @param {View} view
 * @returns {{seat: number, place: number, name: string, avatar?: string, level?: string, score: number,
 *   points: number, base: number, uma: number, oka: number}[]}
 */
export function ranking(view) {
  return view.placement
    .map(([place, points], seat) => {
      const [uma, oka] = view.bonus[seat] ?? [0, 0];
      const base = Math.round((points - uma - oka) * 1000) / 1000;
      const name = view.names[seat];
      const avatar = view.avatars?.[seat];
      const level = view.levels?.[seat];
      return { seat, place, name, avatar, level, score: view.scores[seat], points, base, uma, oka };
    })
    .sort((a, b) => a.place - b.place);
}

/**
 * The points of everybody over the hands of the game, without a hand that was broken off.
 *
 * @typedef {object} ScoreChart
 * @property {string[]} names by seat
 * @property {number[]} start by seat
 * @property {{wind: string, kyoku: number, honba: number, scores: number[]}[]} hands with the
 *   points after each
 *
 * @param {View} view
 * @returns {ScoreChart | null} null if no hand was played
 */
export function scoreChart(view) {
  const { history, scores, names } = view;
  const played = hasAbandonedHand(view) ? history.slice(0, -1) : history;
  if (played.length === 0) return null;
  return {
    names,
    start: played[0][3],
    hands: played.map(([wind, kyoku, honba], at) => ({
      wind,
      kyoku,
      honba,
      scores: history[at + 1]?.[3] ?? scores,
    })),
  };
}
