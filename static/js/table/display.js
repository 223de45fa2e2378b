/**
 * A view as it lies before a reader: seats turned so that the reader's is at the bottom,
 * rivers in rows, melds laid out, dora and the last discard marked. Pure, and everything the
 * widgets need; they look at nothing else.
 *
 * @import { MeldTile } from "./melds.js"
 * @import { RiverTile, View } from "./types.js"
 * @typedef {"bottom" | "right" | "top" | "left"} Place
 *
 * @typedef {object} RiverCell
 * @property {string} key
 * @property {string} pai
 * @property {boolean} turned
 * @property {boolean} tsumogiri
 * @property {boolean} taken somebody has called it: it lies in a meld now, and is only remembered here
 * @property {boolean} dora
 * @property {boolean} last whether it is the open tile
 * @property {boolean} recent whether it is the last one thrown, and no longer open
 *
 * @typedef {object} SeatModel
 * @property {number} seat
 * @property {Place} place
 * @property {string} name
 * @property {boolean} bot
 * @property {boolean} away
 * @property {string} wind
 * @property {number} score
 * @property {number} difference what this seat has more than the one at the bottom
 * @property {boolean} dealer
 * @property {boolean} onTurn
 * @property {"none" | "declared" | "accepted"} riichi
 * @property {boolean} furiten
 * @property {string[]} tiles
 * @property {string | null} drawn
 * @property {boolean} robbing whether its newest kan can be won on now
 * @property {MeldTile[][]} melds
 * @property {RiverCell[][]} river
 *
 * @typedef {object} TableModel
 * @property {SeatModel[]} seats bottom, right, top, left
 * @property {string} wind
 * @property {number} kyoku
 * @property {number} honba
 * @property {number} sticks
 * @property {number} left
 * @property {(string | null)[]} dora the indicators, five places
 * @property {string[]} doraKinds the tiles they point to
 * @property {boolean} dealt
 */
import { meldTiles } from "./melds.js";
import { doraOf, kindOf } from "./tiles.js";

/** @type {readonly Place[]} */
export const PLACES = ["bottom", "right", "top", "left"];
const WINDS = "ESWN";
const ROW = 6;
const ROWS = 4;
const DORA_PLACES = 5;

/**
 * @param {View} view
 * @param {number} bottom the seat to show at the bottom
 * @returns {TableModel}
 */
export function display(view, bottom) {
  const last = lastDiscard(view);
  return {
    seats: PLACES.map((place, turn) => seatModel(view, (bottom + turn) % 4, place, bottom, last)),
    wind: view.bakaze,
    kyoku: view.kyoku,
    honba: view.honba,
    sticks: view.kyotaku,
    left: view.left,
    dora: Array.from({ length: DORA_PLACES }, (_, at) => view.dora[at] ?? null),
    doraKinds: view.dora.map(doraOf),
    dealt: view.phase !== "idle",
  };
}

/** @param {View} view @param {number} seat @returns {string} */
export const windOf = (view, seat) => WINDS[(seat - view.oya + 4) % 4];

/**
 * Whose river ends with the last tile thrown, and whether it lies open to be claimed; null if
 * that tile has been claimed, if none has been thrown, or if the view does not tell.
 * @param {View} view
 * @returns {{seat: number, open: boolean} | null}
 */
export function lastDiscard(view) {
  const { phase, turn, drawn, claimed, robbing, hands } = view;
  if (phase === "turn") {
    // A tile is drawn after the discard of the seat before, or in place of one for a kan. After
    // an open kan nobody's tile is the last in a river; the view shows its newest set and no more.
    if (drawn === null || isReplacing(view)) return null;
    return lying(hands, (turn + 3) % 4, false);
  }
  if (phase === "idle" || phase === "ended" || robbing || drawn !== null) return null;
  return lying(hands, turn, phase === "claims" && claimed !== null);
}

/** @param {View["hands"]} hands @param {number} seat @param {boolean} open */
function lying(hands, seat, open) {
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
 * @returns {SeatModel}
 */
function seatModel(view, seat, place, bottom, last) {
  const hand = view.hands[seat];
  const isOnTurn = view.turn === seat;
  const isLast = last?.seat === seat;
  return {
    seat,
    place,
    name: view.names[seat],
    bot: view.bots[seat],
    away: view.away[seat],
    wind: windOf(view, seat),
    score: view.scores[seat],
    difference: view.scores[seat] - view.scores[bottom],
    dealer: view.oya === seat,
    onTurn: isOnTurn && view.phase === "turn",
    riichi: hand.riichi,
    furiten: hand.furiten && (view.phase === "turn" || view.phase === "claims"),
    tiles: hand.tiles,
    drawn: isOnTurn && hand.tiles.length % 3 === 1 ? view.drawn : null,
    robbing: isOnTurn && view.phase === "claims" && view.robbing,
    melds: hand.melds.map((meld) => meldTiles(meld, seat)),
    river: riverRows(hand.river, {
      open: isLast && last.open,
      recent: isLast && !last.open,
      dora: view.dora.map(doraOf),
    }),
  };
}

/**
 * Four rows of six; the last goes on if there are more. A claimed tile keeps its place, so
 * that a row goes on telling the turn.
 * @param {readonly RiverTile[]} river
 * @param {{open?: boolean, recent?: boolean, dora?: readonly string[]}} [marks] of its last tile,
 *   and the kinds that are dora
 * @returns {RiverCell[][]}
 */
export function riverRows(river, { open = false, recent = false, dora = [] } = {}) {
  const cells = river.map((tile, at) => ({
    key: `${at}`,
    pai: tile.pai,
    turned: tile.riichi,
    tsumogiri: tile.tsumogiri,
    taken: tile.taken,
    dora: dora.includes(kindOf(tile.pai)),
    last: open && at === river.length - 1,
    recent: recent && at === river.length - 1,
  }));
  return Array.from({ length: ROWS }, (_, row) =>
    cells.slice(row * ROW, row === ROWS - 1 ? undefined : (row + 1) * ROW),
  );
}
