/**
 * Plans the moves of an event from the views before and after it, each from one spot of the table
 * to another. Pure; knows neither where spots lie nor how long a move takes.
 *
 * A spot is text: `hand:2` the hand of seat 2, `hand:2:drawn` its drawn tile, `hand:2:5m` a
 * tile of it, `river:1:7` the eighth discard of seat 1, `meld:3:0` the first meld of seat 3,
 * `called:3:0` the claimed tile in it, `added:3:0` the tile laid on it, `north:2:1` the second north that
 * seat 2 has set aside, `stick:0`, `dora:1`.
 *
 * @import { EventOf, EventType, TableEvent, View } from "../table/types.js"
 *
 * @typedef {object} Move
 * @property {"deal" | "draw" | "discard" | "sort" | "claim" | "lay" | "stick" | "dora" | "win"} kind
 * @property {string | null} from null for a move that starts nowhere
 * @property {string} to
 */
import { HIDDEN } from "../table/tiles.js";

/** @type {{[T in EventType]?: (before: View, after: View, event: EventOf<T>) => Move[]}} */
const MOVES = {
  start_kyoku: (_before, after) => after.hands.map((_, seat) => move("deal", null, `hand:${seat}`)),

  tsumo: (_before, _after, { actor }) => [move("draw", null, `hand:${actor}:drawn`)],

  dahai(before, after, { actor, pai, tsumogiri }) {
    const to = `river:${actor}:${after.hands[actor].river.length - 1}`;
    const discard = move("discard", tsumogiri ? `hand:${actor}:drawn` : discardSpot(before, actor, pai), to);
    const isSorting = !tsumogiri && before.drawn !== null;
    return isSorting ? [discard, move("sort", `hand:${actor}:drawn`, `hand:${actor}`)] : [discard];
  },

  reach_accepted: (_before, _after, { actor }) => [move("stick", `hand:${actor}`, `stick:${actor}`)],

  chi: callMoves,
  pon: callMoves,
  daiminkan: callMoves,

  ankan: (_before, after, { actor }) => [
    move("lay", `hand:${actor}`, `meld:${actor}:${after.hands[actor].melds.length - 1}`),
    move("sort", `hand:${actor}:drawn`, `hand:${actor}`),
  ],

  kakan(before, after, { actor }) {
    const melds = after.hands[actor].melds;
    const at = melds.findIndex((meld, place) => meld.added !== before.hands[actor].melds[place]?.added);
    return [move("lay", `hand:${actor}`, `added:${actor}:${at}`), move("sort", `hand:${actor}:drawn`, `hand:${actor}`)];
  },

  kita(before, after, { actor, pai }) {
    const from = before.drawn === pai ? `hand:${actor}:drawn` : discardSpot(before, actor, pai);
    const to = `north:${actor}:${(after.hands[actor].norths ?? 0) - 1}`;
    return [move("claim", from, to), move("sort", `hand:${actor}:drawn`, `hand:${actor}`)];
  },

  dora: (_before, after) => [move("dora", null, `dora:${after.dora.length - 1}`)],

  hora(before, _after, { actor, target }) {
    const shown = move("win", null, `hand:${actor}`);
    if (actor === target || before.robbing) return [shown];
    return [move("win", null, `river:${target}:${before.hands[target].river.length - 1}`), shown];
  },
};

/**
 * @param {View} before
 * @param {View} after
 * @param {TableEvent} event
 * @returns {Move[]}
 */
export function plan(before, after, event) {
  const moves = /** @type {((...args: [View, View, TableEvent]) => Move[]) | undefined} */ (MOVES[event.type]);
  return moves?.(before, after, event) ?? [];
}

/** @param {Move["kind"]} kind @param {string | null} from @param {string} to @returns {Move} */
const move = (kind, from, to) => ({ kind, from, to });

/**
 * The spot of a discarded tile: its own if it is visible, else the hand.
 * @param {View} before
 * @param {number} seat
 * @param {string} pai
 */
const discardSpot = (before, seat, pai) =>
  before.hands[seat].tiles.includes(HIDDEN) ? `hand:${seat}` : `hand:${seat}:${pai}`;

/**
 * @param {View} before
 * @param {View} after
 * @param {import("../table/types.js").Call} event
 * @returns {Move[]}
 */
function callMoves(before, after, { actor, target }) {
  const at = after.hands[actor].melds.length - 1;
  return [
    move("claim", `river:${target}:${before.hands[target].river.length - 1}`, `called:${actor}:${at}`),
    move("lay", `hand:${actor}`, `meld:${actor}:${at}`),
  ];
}
