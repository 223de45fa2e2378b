/**
 * What a reader of a replay sees of a view: other hands closed, names hidden. Pure.
 *
 * @import { View } from "../table/types.js"
 */
import { HIDDEN } from "../table/tiles.js";

const closed = (/** @type {string[]} */ tiles) => tiles.map(() => HIDDEN);

/**
 * The view as the seat saw it: the hands of others are closed until they are shown.
 * @param {View} view
 * @param {number} seat
 * @returns {View}
 */
export function asSeenBy(view, seat) {
  const hands = view.hands.map((hand, at) =>
    at === seat || hand.shown ? hand : { ...hand, tiles: closed(hand.tiles) },
  );
  const isOwn = view.turn === seat || view.hands[view.turn].shown;
  return { ...view, hands, drawn: view.drawn === null || isOwn ? view.drawn : HIDDEN };
}

/** The view with other names. @param {View} view @param {string[]} names @returns {View} */
export const withNames = (view, names) => ({ ...view, names });
