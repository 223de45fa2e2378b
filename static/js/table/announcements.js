/**
 * Texts for screen readers: one for each event that is announced, and the question to the reader.
 * Pure. Draws of other seats are not announced; their discards are.
 *
 * @import { Words } from "./names.js"
 * @import { Action, EventOf, EventType, TableEvent, View } from "./types.js"
 * @typedef {import("./types.js").Call | import("./types.js").Kakan} MeldEvent
 */
import { callout } from "./callouts.js";
import { callOf } from "./choices.js";
import { windOf } from "./display.js";
import { isBrokenOff, ranking } from "./outcome.js";
import { doraOf } from "./tiles.js";

/** @type {{[T in EventType]?: (event: EventOf<T>, view: View, you: number | null, say: Words) => string}} */
const ANNOUNCEMENTS = {
  start_kyoku: (_event, view, you, say) => dealText(view, you, say),
  dahai: ({ actor, pai }, view, you, say) =>
    actor === you ? say.youDiscard(pai) : say.discarded(view.names[actor], pai),
  reach: callText,
  kita: callText,
  chi: meldText,
  pon: meldText,
  daiminkan: meldText,
  kakan: meldText,
  ankan: (event, view, you, say) => sentence(callText(event, view, you, say), say.tile(event.consumed[0])),
  dora: ({ dora_marker }, view, _you, say) => doraShown(dora_marker, view, say),
  hora: winText,
  ryukyoku: ({ reason }, _view, _you, say) => say.draws[reason] ?? "",
  end_kyoku: (_event, view, you, say) => (you === null ? "" : say.yourPoints(view.scores[you])),
  end_game: (_event, view, _you, say) => endText(view, say),
  away: ({ actor, away }, view, _you, say) => (away ? say.isAway : say.isBack)(view.names[actor]),
};

/**
 * The text that announces an event; empty for none.
 * @param {TableEvent} event
 * @param {View} view after the event
 * @param {number | null} you
 * @param {Words} say
 * @returns {string}
 */
export function announcement(event, view, you, say) {
  const textOf = /** @type {((...args: [TableEvent, View, number | null, Words]) => string) | undefined} */ (
    ANNOUNCEMENTS[event.type]
  );
  return textOf?.(event, view, you, say) ?? "";
}

/**
 * The announcement with what the panel of a result shows: the yaku, and the reader's part of the payments.
 * @type {typeof announcement}
 */
export function spoken(event, view, you, say) {
  const parts = [announcement(event, view, you, say)];
  if (event.type === "hora") parts.push(yakuText(event, say));
  if ((event.type === "hora" || event.type === "ryukyoku") && you !== null && event.deltas[you] !== 0) {
    parts.push(say.calledBy(say.reader, say.delta(event.deltas[you])));
  }
  return parts.filter((part) => part !== "").join(". ");
}

/** @param {import("./types.js").Win} win @param {Words} say */
const yakuText = ({ yaku, yakuman }, say) =>
  yaku
    .map(([id, han]) => [say.yaku[id] ?? id, han > 1 && yakuman === 0 && say.han(han)].filter(Boolean).join(" "))
    .join(", ");

/**
 * What has changed without an event that says it: the end of the game by votes, players who have left or sat down.
 * @param {View} before
 * @param {View} now
 * @param {number | null} you
 * @param {Words} say
 * @returns {string} empty if nothing has
 */
export function changeText(before, now, you, say) {
  if (now.phase === "ended") return before.phase === "ended" ? "" : endText(now, say);
  return now.names
    .map((name, seat) => {
      if (before.bots[seat] === now.bots[seat] || seat === you) return "";
      return (now.bots[seat] ? say.hasLeft : say.hasSatDown)(name);
    })
    .filter(Boolean)
    .join(". ");
}

/**
 * The text that says who has lost the connection or is connected again; empty for nobody.
 * @param {readonly boolean[]} before by seat, who had no connection
 * @param {readonly boolean[]} now
 * @param {readonly string[]} names
 * @param {Words} say
 */
export const connectionText = (before, now, names, say) =>
  names
    .map((name, seat) => {
      if ((before[seat] ?? false) === (now[seat] ?? false)) return "";
      return now[seat] ? say.isCutOff(name) : say.isConnected(name);
    })
    .filter(Boolean)
    .join(". ");

/**
 * The question to the reader: the drawn or open tile, and the possible calls.
 * @param {View} view
 * @param {readonly Action[]} legal
 * @param {Words} say
 * @returns {string} empty if nothing is asked
 */
export function question(view, legal, say) {
  if (view.phase === "result") return legal.some(({ type }) => type === "stop") ? say.stopOrNot : "";
  if (legal.length === 0) return "";
  const kinds = new Set(legal.map(({ type }) => type));
  kinds.delete("dahai");
  const words = [...kinds].map((type) => say.calls[callOf(type, view.phase)] ?? type);
  return sentence(tileText(view, say), [...new Set(words)].join(", "));
}

/** @param {View} view @param {Words} say */
function tileText(view, say) {
  if (view.phase !== "turn") return view.claimed === null ? "" : say.tile(view.claimed);
  return view.drawn === null ? say.yourTurn : say.youDraw(view.drawn);
}

/** @param {string} indicator @param {View} view @param {Words} say */
const doraShown = (indicator, { hands }, say) => say.doraShown(doraOf(indicator, hands.length), indicator);

/** @param {View} view @param {number | null} you @param {Words} say */
function dealText(view, you, say) {
  const parts = [say.round(view.bakaze, view.kyoku)];
  if (view.honba > 0) parts.push(say.honba(view.honba));
  if (view.kyotaku > 0) parts.push(say.sticks(view.kyotaku));
  parts.push(doraShown(view.dora[0], view, say));
  if (you !== null) parts.push(say.youAre(windOf(view, you)));
  return parts.join(". ");
}

/**
 * @param {TableEvent & {actor: number}} event
 * @param {View} view
 * @param {number | null} you
 * @param {Words} say
 */
function callText(event, view, you, say) {
  const { seat, call } = callout(event) ?? { seat: event.actor, call: event.type };
  return say.calledBy(callerName(seat, view, you, say), say.calls[call]);
}

/** @param {number} seat @param {View} view @param {number | null} you @param {Words} say */
const callerName = (seat, view, you, say) => (seat === you ? say.reader : view.names[seat]);

/** @param {MeldEvent} event @param {View} view @param {number | null} you @param {Words} say */
function meldText(event, view, you, say) {
  const kept = (event.type === "kakan" ? [] : event.consumed).map(say.tile);
  return sentence(callText(event, view, you, say), [say.tile(event.pai), ...kept].join(", "));
}

/**
 * @param {import("./types.js").Win} event
 * @param {View} view
 * @param {number | null} you
 * @param {Words} say
 */
function winText(event, view, you, say) {
  const { actor, target, pai, yakuman, limit, fan, fu, points } = event;
  const how = actor === target ? say.calls.tsumo : say.ronFrom(view.names[target]);
  const worth = yakuman > 0 ? say.yakumanTimes(yakuman) : (say.limits[limit] ?? say.hanAndFu(fan, fu));
  const winner = callerName(actor, view, you, say);
  return [say.calledBy(winner, how), say.tile(pai), worth, say.points(points)].join(". ");
}

/** @param {View} view of a game that is over @param {Words} say */
function endText(view, say) {
  if (isBrokenOff(view)) return `${say.brokenOff}. ${say.brokenOffMeaning}`;
  const rows = ranking(view).map(({ place, name, score }) => rankText(place, name, score, say));
  return [say.finalRanking, ...rows].join(". ");
}

/** @param {number} place @param {string} name @param {number} score @param {Words} say */
const rankText = (place, name, score, say) => `${say.place(place)}: ${name}, ${say.points(score)}`;

/** @param {string} first @param {string} second */
const sentence = (first, second) => [first, second].filter((part) => part !== "").join(". ");
