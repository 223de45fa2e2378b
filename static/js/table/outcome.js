/**
 * How a hand or a game has ended, made ready to show: who won what and who pays, the
 * kind of draw, the final ranking. Pure.
 *
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Win} Win
 * @typedef {import("./types.js").DrawnHand} DrawnHand
 * @typedef {import("./melds.js").MeldTile} MeldTile
 *
 * @typedef {object} Payment
 * @property {number} seat
 * @property {string} wind
 * @property {string} name
 * @property {number} delta
 * @property {number} score
 *
 * @typedef {object} WinPane
 * @property {"win"} kind
 * @property {string} winner
 * @property {string | null} loser null for a self-draw
 * @property {string[]} tiles
 * @property {string} pai
 * @property {MeldTile[][]} melds
 * @property {string[]} dora
 * @property {string[]} ura
 * @property {[string, number][]} yaku
 * @property {number} han
 * @property {number} fu
 * @property {number} yakuman
 * @property {string} limit
 * @property {number} points
 * @property {string | null} liable
 * @property {Payment[]} payments
 *
 * @typedef {object} DrawPane
 * @property {"draw"} kind
 * @property {string} reason
 * @property {string | null} declarer
 * @property {boolean} hasTenpai whether tenpai and noten have a meaning here
 * @property {{wind: string, name: string, tenpai: boolean, nagashi: boolean, tiles: string[],
 *   melds: MeldTile[][]}[]} hands
 * @property {Payment[]} payments
 *
 * @typedef {WinPane | DrawPane} Pane
 */
import { windOf } from "./display.js";
import { meldTiles } from "./melds.js";

/** @param {View} view @returns {Pane[]} one per win, or one for a draw */
export function panes(view) {
  return view.results.map((result) =>
    result.type === "hora" ? winPane(view, result) : drawPane(view, result),
  );
}

/** @param {View} view @param {number} seat */
const meldsOf = (view, seat) => view.hands[seat].melds.map((meld) => meldTiles(meld, seat));

/**
 * @param {View} view
 * @param {{deltas: number[], scores: number[]}} result
 * @returns {Payment[]} from the dealer on
 */
function payments(view, result) {
  return [0, 1, 2, 3].map((turn) => {
    const seat = (view.oya + turn) % 4;
    return {
      seat,
      wind: windOf(view, seat),
      name: view.names[seat],
      delta: result.deltas[seat],
      score: result.scores[seat],
    };
  });
}

/** @param {View} view @param {Win} win @returns {WinPane} */
function winPane(view, win) {
  return {
    kind: "win",
    winner: view.names[win.actor],
    loser: win.actor === win.target ? null : view.names[win.target],
    tiles: win.tehai,
    pai: win.pai,
    melds: meldsOf(view, win.actor),
    dora: view.dora,
    ura: win.uradora_markers,
    yaku: win.yaku,
    han: win.fan,
    fu: win.fu,
    yakuman: win.yakuman,
    limit: win.limit,
    points: win.points,
    liable: win.liable >= 0 ? view.names[win.liable] : null,
    payments: payments(view, win),
  };
}

/** @param {View} view @param {DrawnHand} draw @returns {DrawPane} */
function drawPane(view, draw) {
  return {
    kind: "draw",
    reason: draw.reason,
    declarer: draw.actor >= 0 ? view.names[draw.actor] : null,
    hasTenpai: draw.reason === "exhaustive" || draw.reason === "nagashi_mangan",
    hands: [0, 1, 2, 3].map((turn) => {
      const seat = (view.oya + turn) % 4;
      return {
        wind: windOf(view, seat),
        name: view.names[seat],
        tenpai: draw.tenpais[seat],
        nagashi: draw.nagashi.includes(seat),
        tiles: draw.tehais[seat],
        melds: meldsOf(view, seat),
      };
    }),
    payments: payments(view, draw),
  };
}

/**
 * The final ranking, first place first.
 * @param {View} view
 * @returns {{seat: number, place: number, name: string, score: number, points: number}[]}
 */
export function ranking(view) {
  return view.placement
    .map(([place, points], seat) => ({
      seat,
      place,
      name: view.names[seat],
      score: view.scores[seat],
      points,
    }))
    .sort((a, b) => a.place - b.place);
}
