/**
 * The picture of the start of a game: each seat gets its wind, dice are rolled, and the wall is broken.
 * The dice decide nothing, since the wall is fixed before. They follow from the id of the table, so
 * that everybody sees the same.
 *
 * @import { Words } from "../table/names.js"
 * @import { View } from "../table/types.js"
 */
import { placesOf, windOf } from "../table/display.js";
import { HIDDEN } from "../table/tiles.js";
import { avatar } from "./avatar.js";
import { el, svg } from "./dom.js";
import { styleSheet } from "./style_sheet.js";
import { tile } from "./tile.js";

/** Stacks of two tiles in a side of the wall. */
/** How many stacks each side of the wall has, by the number of players. @type {Record<number, number>} */
const STACKS = { 3: 18, 4: 17 };
/** The places of the pips of a die, in a grid of three by three. @type {Record<number, number[]>} */
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** Load the style. */
export const loadStyle = () => styleSheet(new URL("../../css/table/opening.css", import.meta.url));

/**
 * Two dice that follow from a text.
 * @param {string} text
 * @returns {[number, number]} 1..6
 */
export function diceOf(text) {
  let sum = 7;
  for (const sign of text) sum = (sum * 31 + sign.charCodeAt(0)) % 65_521;
  return [(sum % 6) + 1, (Math.floor(sum / 6) % 6) + 1];
}

/**
 * Where the wall is broken: dice are counted around the table from the dealer, and the same number of
 * stacks from the right end of that side.
 * @param {[number, number]} dice
 * @param {number} dealer
 * @param {number} players
 * @returns {{seat: number, stacks: number}}
 */
export function breakOf([first, second], dealer, players) {
  const sum = first + second;
  return { seat: (dealer + sum - 1) % players, stacks: sum };
}

/**
 * @param {View} view
 * @param {number} bottom the seat at the bottom
 * @param {string} table its id
 * @param {Words} say
 * @returns {HTMLElement}
 */
export function openingPicture(view, bottom, table, say) {
  const dice = diceOf(table);
  const players = view.hands.length;
  const wallBreak = breakOf(dice, view.oya, players);
  const sides = placesOf(players).map((place, turn) => {
    const seat = (bottom + turn) % players;
    const stacks = seat === wallBreak.seat ? wallBreak.stacks : 0;
    return side(place, STACKS[players], stacks);
  });
  const seats = placesOf(players).map((place, turn) => {
    const seat = (bottom + turn) % players;
    const wind = windOf(view, seat);
    const card = el("div", "opening-card", tile(HIDDEN, ""), tile(wind, ""));
    const who = el("span", "opening-who", ` \u00b7 ${view.names[seat]}`);
    const name = el("span", "opening-name", avatar(view.avatars?.[seat]), say.winds[wind], who);
    return el("div", `opening-seat opening-seat--${place}`, card, name);
  });
  const node = el("div", "opening", ...sides, el("div", "opening-dice", ...dice.map(die)), ...seats);
  node.setAttribute("aria-hidden", "true"); // the log says who has which wind
  return node;
}

/**
 * A side of the wall, broken after so many stacks from its right end.
 * @param {string} place
 * @param {number} all how many stacks it has
 * @param {number} stacks
 */
function side(place, all, stacks) {
  const parts = [all - stacks, stacks].map((count, at) => {
    const part = el("div", at === 0 ? "opening-stacks" : "opening-stacks opening-stacks--right");
    part.style.setProperty("--stacks", `${count}`);
    return part;
  });
  return el("div", `opening-wall opening-wall--${place}${stacks > 0 ? " is-broken" : ""}`, ...parts);
}

/** @param {number} pips */
function die(pips) {
  const dots = PIPS[pips].map((at) =>
    svg("circle", {
      cx: 7 + (at % 3) * 8,
      cy: 7 + Math.floor(at / 3) * 8,
      r: pips === 1 ? 4.5 : 2.6,
      class: pips === 1 ? "opening-one" : "",
    }),
  );
  return svg("svg", { viewBox: "0 0 30 30", class: "opening-die" }, ...dots);
}
