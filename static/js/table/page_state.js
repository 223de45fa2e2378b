/**
 * The state of the table page and how frames change it. Pure; every change returns a new state.
 *
 * @import { EventsFrame, TableRequests, SyncFrame, TimeControl } from "../net/frames.js"
 * @import { Action, Clock, TableEvent, View } from "./types.js"
 * @import { Wall } from "../wall/state.js"
 *
 * @typedef {object} PageState
 * @property {View | null} view null before the first `sync`
 * @property {number | null} you the reader's seat, null for a spectator
 * @property {number} watchedSeat the seat at the bottom for a spectator
 * @property {number} q the open question
 * @property {Action[]} legal what the reader may do now
 * @property {Clock | null} clock the reader's own
 * @property {TimeControl} timeControl
 * @property {number} turnAt when the base time of the seat on turn begins, in the server's time; 0 if unknown
 * @property {boolean} hasHelp
 * @property {boolean} hasBeginners whether all others are the bots for beginners
 * @property {TableRequests | null} requests
 * @property {readonly boolean[]} absent by seat, whether its player has no connection
 * @property {Wall | null} wall the draw of the wall; null for a game without one
 */
import { reduceWall } from "../wall/state.js";
import { reduce, withFuriten } from "./reduce.js";
import { fullClock, fullLegal } from "./short_forms.js";

/** @type {Readonly<PageState>} */
export const INITIAL_STATE = Object.freeze({
  view: null,
  you: null,
  watchedSeat: 0,
  q: 0,
  legal: [],
  clock: null,
  timeControl: { base_ms: 0, bank_ms: 0, lead_ms: 0, deal_ms: 0 },
  turnAt: 0,
  hasHelp: false,
  hasBeginners: false,
  requests: null,
  absent: [],
  wall: null,
});

/** The state after a `sync`. @param {PageState} state @param {SyncFrame} frame @returns {PageState} */
export function applySync(state, frame) {
  const { view, you, q } = frame;
  return {
    ...state,
    view,
    you,
    q,
    legal: fullLegal(frame.legal, view, you),
    clock: fullClock(frame.clock, frame.time_control),
    timeControl: frame.time_control,
    turnAt: frame.turn_at,
    hasHelp: frame.help,
    hasBeginners: frame.beginners,
    requests: frame.requests,
    absent: frame.absent,
    wall: frame.wall ?? null,
  };
}

/**
 * The state after one event.
 * @param {PageState} state
 * @param {TableEvent} event
 * @param {number} [now] the server's time, at which the event is shown
 * @returns {PageState}
 */
export function applyEvent(state, event, now = 0) {
  const { view, wall } = state;
  if (view === null) return state;
  return { ...state, view: reduce(view, event), wall: reduceWall(wall, event), turnAt: turnStart(state, event, now) };
}

/**
 * When the base time of the seat on turn begins. It follows from draws and calls alone, never from
 * the question of a player.
 * @param {PageState} state before the event
 * @param {TableEvent} event
 * @param {number} now
 */
function turnStart({ view, timeControl, turnAt }, event, now) {
  const { lead_ms, deal_ms } = timeControl;
  if (event.type === "tsumo") {
    const isFirst = view?.phase === "turn" && !event.rinshan;
    return now + (isFirst ? deal_ms : lead_ms);
  }
  return ["chi", "pon", "daiminkan"].includes(event.type) ? now + lead_ms : turnAt;
}

/**
 * The time of the seat on turn that everybody sees; null while no clock runs. Only a position in
 * phase `turn` has a seat on turn, so that nothing runs while a discard or a kan can be claimed.
 * @param {PageState} state
 * @returns {{at: number, baseMs: number} | null}
 */
export function turnTime({ view, requests, turnAt, timeControl }) {
  const isRunning = turnAt > 0 && requests?.unlimited !== true && requests?.paused !== true;
  return isRunning && view?.phase === "turn" ? { at: turnAt, baseMs: timeControl.base_ms } : null;
}

/**
 * Take over what a frame says besides its events.
 * @param {PageState} state the state after its events
 * @param {EventsFrame} frame
 * @returns {PageState}
 */
export function applyEvents(state, frame) {
  const { view: before, you } = state;
  if (before === null) return state;
  const view = you === null ? before : withFuriten(before, you, frame.furiten === true);
  return {
    ...state,
    view,
    q: frame.q,
    legal: fullLegal(frame.legal ?? [], view, you),
    clock: fullClock(frame.clock ?? null, state.timeControl),
  };
}
