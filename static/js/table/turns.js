/**
 * The turn of a riichi or a win: a number of discards, as the figures of players count it. Pure.
 *
 * @import { TableEvent, View } from "./types.js"
 */

/**
 * The number of the declaration tile among the discards of its player, or of the discard that was
 * won on. A tsumo and a robbed kan count as the next turn of the player who drew the tile.
 * @param {TableEvent} event
 * @param {View} view after the event
 * @returns {number | null} null for other events
 */
export function turnOf(event, view) {
  if (event.type === "reach") return view.hands[event.actor].river.length + 1;
  if (event.type !== "hora") return null;
  const { actor, target, yaku } = event;
  const isDiscard = actor !== target && !yaku.some(([name]) => name === "chankan");
  return view.hands[target].river.length + (isDiscard ? 0 : 1);
}
