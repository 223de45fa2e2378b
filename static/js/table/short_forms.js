/**
 * Expands the short forms of `docs/protocol.md`. Pure; knows no rules.
 *
 * @import { ShortAction, ShortClock, ShortEvent, TimeControl } from "../net/frames.js"
 * @import { Action, Clock, TableEvent, View } from "./types.js"
 */
import { HIDDEN } from "./tiles.js";

/** @param {TableEvent | ShortEvent} event @returns {TableEvent} */
export function fullEvent(event) {
  if (!Array.isArray(event)) return event;
  const [type, actor, pai = HIDDEN, flag = false] = event;
  return type === "tsumo" ? { type, actor, pai, rinshan: flag } : { type, actor, pai, tsumogiri: flag };
}

/**
 * The legal actions one by one.
 * @param {ShortAction[]} legal
 * @param {View} view the table after the events of the frame
 * @param {number | null} you
 * @returns {Action[]}
 */
export function fullLegal(legal, view, you) {
  if (you === null) return legal;
  const hand = [...new Set(view.hands[you].tiles)].map((pai) => ({ pai, tsumogiri: false }));
  const drawn = view.turn === you && view.drawn !== null ? [{ pai: view.drawn, tsumogiri: true }] : [];
  return legal.flatMap(
    /** @returns {Action[]} */ (item) => {
      const { type, but = [] } = item;
      if ((type !== "dahai" && type !== "reach") || item.pai !== undefined) return [item];
      return [...hand, ...drawn].filter(({ pai }) => !but.includes(pai)).map((tile) => ({ type, ...tile }));
    },
  );
}

/**
 * @param {ShortClock | null} clock
 * @param {TimeControl} control
 * @returns {Clock | null}
 */
export function fullClock(clock, control) {
  if (clock === null) return null;
  const { base_ms, bank_ms } = control;
  const full = { base_ms, bank_ms, ...clock };
  return { deadline: full.asked_at + full.base_ms + full.bank_ms, ...full };
}
