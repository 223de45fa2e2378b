/**
 * A view as it lies before a reader: seats turned so that the reader's is at the bottom,
 * rivers in rows, melds laid out. Pure, and everything the widgets need; they look at
 * nothing else.
 *
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").RiverTile} RiverTile
 * @typedef {import("./melds.js").MeldTile} MeldTile
 * @typedef {"bottom" | "right" | "top" | "left"} Place
 *
 * @typedef {object} RiverCell
 * @property {string} key
 * @property {string} pai
 * @property {boolean} turned
 * @property {boolean} tsumogiri
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
 * @property {boolean} dealer
 * @property {boolean} onTurn
 * @property {"none" | "declared" | "accepted"} riichi
 * @property {boolean} furiten
 * @property {string[]} tiles
 * @property {string | null} drawn
 * @property {boolean} open whether its tiles lie open for everybody
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
 * @property {(string | null)[]} dora five places
 * @property {boolean} dealt
 */
import { meldTiles } from "./melds.js";

/** @type {readonly Place[]} */
export const PLACES = ["bottom", "right", "top", "left"];
const WINDS = "ESWN";
const ROW = 6;
const ROWS = 3;
const DORA_PLACES = 5;

/**
 * @param {View} view
 * @param {number} bottom the seat to show at the bottom
 * @param {number | null} [thrower] the seat that has thrown last, if that is known
 * @returns {TableModel}
 */
export function display(view, bottom, thrower = null) {
  return {
    seats: PLACES.map((place, turn) => seatModel(view, (bottom + turn) % 4, place, thrower)),
    wind: view.bakaze,
    kyoku: view.kyoku,
    honba: view.honba,
    sticks: view.kyotaku,
    left: view.left,
    dora: Array.from({ length: DORA_PLACES }, (_, at) => view.dora[at] ?? null),
    dealt: view.phase !== "idle",
  };
}

/** @param {View} view @param {number} seat @returns {string} */
export const windOf = (view, seat) => WINDS[(seat - view.oya + 4) % 4];

/**
 * @param {View} view
 * @param {number} seat
 * @param {Place} place
 * @param {number | null} thrower
 * @returns {SeatModel}
 */
function seatModel(view, seat, place, thrower) {
  const hand = view.hands[seat];
  const isOnTurn = view.turn === seat;
  const isOpenTileHere = view.phase === "claims" && isOnTurn && !view.robbing;
  return {
    seat,
    place,
    name: view.names[seat],
    bot: view.bots[seat],
    away: view.away[seat],
    wind: windOf(view, seat),
    score: view.scores[seat],
    dealer: view.oya === seat,
    onTurn: isOnTurn && view.phase === "turn",
    riichi: hand.riichi,
    furiten: hand.furiten && (view.phase === "turn" || view.phase === "claims"),
    tiles: hand.tiles,
    drawn: isOnTurn && hand.tiles.length % 3 === 1 ? view.drawn : null,
    open: hand.shown,
    melds: hand.melds.map((meld) => meldTiles(meld, seat)),
    river: riverRows(hand.river, isOpenTileHere, thrower === seat && !isOpenTileHere),
  };
}

/**
 * Rows of six; the third goes on if there are more. Claimed tiles have left the river.
 * @param {readonly RiverTile[]} river
 * @param {boolean} isLastOpen
 * @param {boolean} [isLastRecent]
 * @returns {RiverCell[][]}
 */
export function riverRows(river, isLastOpen, isLastRecent = false) {
  const cells = river
    .map((tile, at) => ({
      key: `${at}`,
      pai: tile.pai,
      turned: tile.riichi,
      tsumogiri: tile.tsumogiri,
      last: isLastOpen && at === river.length - 1,
      recent: isLastRecent && at === river.length - 1,
      taken: tile.taken,
    }))
    .filter((cell) => !cell.taken)
    .map(({ taken, ...cell }) => cell);
  return Array.from({ length: ROWS }, (_, row) =>
    cells.slice(row * ROW, row === ROWS - 1 ? undefined : (row + 1) * ROW),
  );
}
