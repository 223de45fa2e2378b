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
  dora: ({ dora_marker }, _view, _you, say) => say.newDora(dora_marker),
  hora: winText,
  ryukyoku: ({ reason }, _view, _you, say) => say.draws[reason] ?? "",
  end_kyoku: (_event, view, you, say) => (you === null ? "" : say.yourPoints(view.scores[you])),
  end_game: (_event, view, _you, say) =>
    isBrokenOff(view)
      ? `${say.brokenOff}. ${say.brokenOffMeaning}`
      : [say.finalRanking, ...ranking(view).map(({ place, name, score }) => rankText(place, name, score, say))].join(
          ". ",
        ),
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

/** @param {View} view @param {number | null} you @param {Words} say */
function dealText(view, you, say) {
  const parts = [say.round(view.bakaze, view.kyoku)];
  if (view.honba > 0) parts.push(say.honba(view.honba));
  if (view.kyotaku > 0) parts.push(say.sticks(view.kyotaku));
  parts.push(say.newDora(view.dora[0]));
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
  const worth = yakuman > 0 ? say.yakumanTimes(yakuman) : (say.limits[limit] ?? `${say.han(fan)} ${say.fu(fu)}`);
  const winner = callerName(actor, view, you, say);
  return [say.calledBy(winner, how), say.tile(pai), worth, say.points(points)].join(". ");
}

/** @param {number} place @param {string} name @param {number} score @param {Words} say */
const rankText = (place, name, score, say) => `${say.place(place)}: ${name}, ${say.points(score)}`;

/** @param {string} first @param {string} second */
const sentence = (first, second) => [first, second].filter((part) => part !== "").join(". ");
