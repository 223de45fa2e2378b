/**
 * What the keys for reading say: a river, the points, the dora, the reader's waits. Pure.
 *
 * @import { SeatModel, TableModel } from "./display.js"
 * @import { HintLine } from "./hints.js"
 * @import { Words } from "./names.js"
 */
import { riichiPlace } from "./display.js";

/** @param {SeatModel} seat @param {Words} say */
export function riverText(seat, say) {
  const tiles = seat.river
    .flat()
    .map(({ pai, tsumogiri, turned, taken, caller, dora }) =>
      say.marked(pai, { dora, tsumogiri, riichi: turned, taken, caller }),
    );
  return `${say.riverOf(seat, riichiPlace(seat.river))}: ${tiles.join("; ") || say.reading.noDiscards}`;
}

/**
 * @param {TableModel} model @param {Words} say
 * @param {boolean} watched whether a spectator looks on, who sees places
 */
export function scoresText({ wind, kyoku, honba, sticks, left, seats }, say, watched) {
  const round = [say.handName(wind, kyoku, honba), say.sticks(sticks), say.left(left)].join(", ");
  const scores = seats.map(({ name, wind, score, difference, rank, gap }, at) => {
    const standing = watched
      ? [rank > 0 && say.place(rank), rank > 0 && say.delta(gap)]
      : [at > 0 && say.delta(difference)];
    return [name, say.winds[wind], say.points(score), ...standing].filter(Boolean).join(", ");
  });
  return [round, ...scores].join(". ");
}

/** @param {TableModel} model @param {Words} say */
export const doraText = ({ dora, doraKinds }, say) =>
  dora.flatMap((pai, at) => (pai === null ? [] : [say.doraShown(doraKinds[at], pai)])).join(". ");

/** @param {HintLine[]} lines @param {Words} say @returns {string} empty without waits */
export function waitsText(lines, say) {
  const texts = lines.flatMap(({ discards, waits, dead, warning, furiten }) => {
    if (waits.length === 0 && furiten.length === 0) return [];
    const after = discards.map((pai) => say.afterDiscard(pai)).join(", ");
    const shown = [
      ...waits.map(({ pai, left }) => say.unseen(pai, left)),
      dead && say.noWaits,
      warning !== "" && say[warning],
      ...furiten.map((why) => `${say.furiten}: ${say.furitenReasons[why]}`),
    ].filter(Boolean);
    return [[after, shown.join("; ")].filter((text) => text !== "").join(": ")];
  });
  return texts.length > 0 ? `${say.waits}. ${texts.join(". ")}` : "";
}
