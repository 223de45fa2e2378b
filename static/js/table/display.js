/**
 * Turns a view into the model that the widgets draw: the reader's seat at the bottom, rivers in
 * rows, melds laid out, dora and the last discard marked. Pure; widgets never read the view.
 *
 * @import { RiverTile, View } from "./types.js"
 * @typedef {"bottom" | "right" | "top" | "left"} Place
 *
 * @typedef {ReturnType<typeof riverRows>[number][number]} RiverCell
 * @typedef {ReturnType<typeof meldModel>} MeldModel
 * @typedef {{at: number, baseMs: number}} TurnTime when the base time of a turn begins, in the server's time
 * @typedef {ReturnType<typeof seatModel> & {absent: boolean, time: TurnTime | null}} SeatModel
 * @typedef {ReturnType<typeof display>} TableModel
 */
import { meldTiles } from "./melds.js";
import { isNorthOpen } from "./reduce.js";
import { doraOf, kindOf } from "./tiles.js";

/** The sides of the table, from the reader's on in turn. @type {readonly Place[]} */
const PLACES = ["bottom", "right", "top", "left"];
/** @type {readonly Place[]} */
const PLACES_OF_THREE = ["bottom", "right", "left"];
const WINDS = "ESWN";
const ROW = 6;
const ROWS = 4;
const DORA_PLACES = 5;

/**
 * One thing for each side of the table.
 * @template T
 * @param {(place: Place) => T} make
 */
export const forEachPlace = (make) =>
  /** @type {Record<Place, T>} */ (Object.fromEntries(PLACES.map((place) => [place, make(place)])));

/** The sides at which so many players sit, from the reader's on in turn. @param {number} players */
export const placesOf = (players) => (players === 3 ? PLACES_OF_THREE : PLACES);

/**
 * The side at which a seat is shown.
 * @param {number} seat
 * @param {number} bottom the seat shown at the bottom
 * @param {number} players
 */
export const placeOfSeat = (seat, bottom, players) => placesOf(players)[(seat - bottom + players) % players];

/** The kinds that are dora. @param {View} view */
const doraKindsOf = ({ dora, hands }) => dora.map((marker) => doraOf(marker, hands.length));

/**
 * @param {View} view
 * @param {number} bottom the seat to show at the bottom
 * @param {readonly boolean[]} [absent] by seat, whether its player has no connection
 * @param {TurnTime | null} [time] of the seat on turn
 */
export function display(view, bottom, absent = [], time = null) {
  const last = lastDiscard(view);
  const players = view.hands.length;
  return {
    /** From the bottom on in turn. */
    seats: placesOf(players).map((place, turn) => {
      const seat = (bottom + turn) % players;
      const model = seatModel(view, seat, place, bottom, last);
      return { ...model, absent: absent[seat] === true, time: model.onTurn ? time : null };
    }),
    wind: view.bakaze,
    kyoku: view.kyoku,
    honba: view.honba,
    sticks: view.kyotaku,
    left: view.left,
    /** The indicators, five places. */
    dora: Array.from({ length: DORA_PLACES }, (_, at) => view.dora[at] ?? null),
    /** The kind that each indicator makes dora. */
    doraKinds: doraKindsOf(view),
  };
}

/** The number of the riichi tile in a river, 0 for none. @param {RiverCell[][]} rows */
export const riichiPlace = (rows) => rows.flat().findIndex(({ turned }) => turned) + 1;

/** @param {View} view @param {number} seat @returns {string} */
export const windOf = (view, seat) => WINDS[(seat - view.oya + view.hands.length) % view.hands.length];

/**
 * The seat whose river ends with the last discard, and whether that can be claimed; null if it
 * was claimed, if there is none, or if the view does not show it.
 * @param {View} view
 * @returns {{seat: number, open: boolean} | null}
 */
export function lastDiscard(view) {
  const { phase, turn, drawn, claimed, robbing, hands } = view;
  if (phase === "turn") {
    // A draw follows the discard of the seat before, unless it replaces a tile of a kan.
    if (drawn === null || isReplacing(view)) return null;
    return lastIn(hands, (turn + hands.length - 1) % hands.length, false);
  }
  if (phase === "idle" || phase === "ended" || robbing || drawn !== null) return null;
  return lastIn(hands, turn, phase === "claims" && claimed !== null);
}

/** @param {View["hands"]} hands @param {number} seat @param {boolean} open */
function lastIn(hands, seat, open) {
  const tile = hands[seat].river.at(-1);
  return tile === undefined || tile.taken ? null : { seat, open };
}

/** @param {View} view whether the seat on turn may have drawn for an open kan */
function isReplacing({ hands, turn }) {
  const newest = hands[turn].melds.at(-1);
  return newest?.type === "daiminkan" && hands[newest.target].river.at(-1)?.taken === true;
}

/**
 * @param {View} view
 * @param {number} seat
 * @param {Place} place
 * @param {number} bottom
 * @param {ReturnType<typeof lastDiscard>} last
 */
function seatModel(view, seat, place, bottom, last) {
  const hand = view.hands[seat];
  const isOnTurn = view.turn === seat;
  const isLast = last?.seat === seat;
  return {
    seat,
    place,
    name: view.names[seat],
    avatar: view.avatars?.[seat] ?? "",
    level: view.levels?.[seat] ?? "",
    rating: view.ratings?.[seat] ?? 0,
    away: view.away[seat],
    /** Whether a bot plays for a player who has left. */
    left: view.bots[seat] && (view.avatars?.[seat] ?? "") !== "",
    wind: windOf(view, seat),
    score: view.scores[seat],
    /** By how many points this seat is ahead of the seat at the bottom. */
    difference: view.scores[seat] - view.scores[bottom],
    ...standing(view.scores, seat),
    dealer: view.oya === seat,
    onTurn: isOnTurn && view.phase === "turn",
    riichi: hand.riichi,
    furiten: hand.furiten && (view.phase === "turn" || view.phase === "claims"),
    tiles: hand.tiles,
    drawn: isOnTurn && hand.tiles.length % 3 === 1 ? view.drawn : null,
    robbing: isOnTurn ? robbedPart(view) : "",
    melds: hand.melds.map((meld) => meldModel(meld, seat, view.names)),
    /** How many norths it has set aside. */
    norths: hand.norths ?? 0,
    river: riverRows(hand.river, {
      open: isLast && last.open,
      recent: isLast && !last.open,
      dora: doraKindsOf(view),
      callerOf: (pai) => callerOf(view, seat, pai),
    }),
  };
}

/**
 * The place of a seat by points, which equal seats share, and how far the place above is; for the
 * first, how far it is ahead of the second. No place while all have the same.
 * @param {readonly number[]} scores
 * @param {number} seat
 * @returns {{rank: number, gap: number}}
 */
export function standing(scores, seat) {
  const others = scores.filter((_, other) => other !== seat);
  const above = others.filter((score) => score > scores[seat]);
  const rank = new Set(scores).size === 1 ? 0 : above.length + 1;
  return { rank, gap: scores[seat] - (above.length > 0 ? Math.min(...above) : Math.max(...others)) };
}

/**
 * What of the seat on turn can be won on now: its newest kan, the north that it has just set aside, or
 * nothing.
 * @param {View} view
 * @returns {"" | "meld" | "north"}
 */
function robbedPart(view) {
  if (view.phase !== "claims" || !view.robbing) return "";
  return isNorthOpen(view) ? "north" : "meld";
}

/** @param {import("./types.js").Meld} meld @param {number} seat @param {readonly string[]} names */
const meldModel = (meld, seat, names) => ({
  type: meld.type,
  /** Whose discard it has taken; empty for a closed kan. */
  from: meld.called === null ? "" : names[meld.target],
  tiles: meldTiles(meld, seat, names.length),
});

/**
 * Who has called this discard; empty if several players have called such tiles from that seat.
 * @param {View} view
 * @param {number} from
 * @param {string} pai
 */
function callerOf({ hands, names }, from, pai) {
  const callers = hands.flatMap(({ melds }, seat) =>
    melds.some(({ called, target }) => called === pai && target === from) ? [names[seat]] : [],
  );
  return callers.length === 1 ? callers[0] : "";
}

/**
 * Four rows of six; the last one takes the rest. A claimed tile keeps its place, so that rows
 * still show the turn of a discard.
 * @param {readonly RiverTile[]} river
 * @param {{open?: boolean, recent?: boolean, dora?: readonly string[], callerOf?: (pai: string) => string}} [marks]
 *   of its last tile, the kinds that are dora, and who has called a tile
 */
export function riverRows(river, { open = false, recent = false, dora = [], callerOf = () => "" } = {}) {
  const cells = river.map((tile, at) => ({
    key: `${at}`,
    pai: tile.pai,
    turned: tile.riichi,
    tsumogiri: tile.tsumogiri,
    taken: tile.taken, // by a call: the tile lies in a meld now
    caller: tile.taken ? callerOf(tile.pai) : "",
    dora: dora.includes(kindOf(tile.pai)),
    last: open && at === river.length - 1,
    recent: recent && at === river.length - 1,
  }));
  return Array.from({ length: ROWS }, (_, row) =>
    cells.slice(row * ROW, row === ROWS - 1 ? undefined : (row + 1) * ROW),
  );
}
