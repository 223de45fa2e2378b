/**
 * The frames of `docs/protocol.md` as they come from the server, for the type checker. The short
 * forms in them are written out by `table/short_forms.js`. Nothing here runs.
 *
 * @import { Action, TableEvent, View } from "../table/types.js"
 *
 * @typedef {[type: "tsumo" | "dahai", actor: number, pai?: string, flag?: boolean]} ShortEvent
 * @typedef {Action & {but?: string[]}} ShortAction without `pai` a `dahai` or `reach` is of any tile
 * @typedef {{asked_at: number, bank_ms?: number, deadline?: number}} ShortClock
 * @typedef {object} TimeControl
 * @property {number} base_ms
 * @property {number} bank_ms
 * @property {number} lead_ms from a draw or call until the time begins
 * @property {number} deal_ms from a deal until the time of the first turn begins
 *
 * @typedef {object} TableRequests pauses, votes and notices
 * @property {boolean} paused
 * @property {string[]} votes by seat: `pause`, `end` or nothing
 * @property {boolean[]} left by seat: its player has left it to a bot
 * @property {boolean} unlimited there is no clock
 * @property {string} notice
 * @property {string} official what an official has done, for the reason in `notice`; empty if nothing
 * @property {RoundClock | null} round
 * @property {boolean} [end_needs_all] an early end needs the votes of all who began the game
 *
 * @typedef {object} RoundClock the clock of a tournament's round
 * @property {number} ends_at server time; 0 while the clocks are stopped
 * @property {number} left_ms the remaining time while they are stopped
 * @property {"" | "next" | "now"} last_hand
 *
 * @typedef {object} SyncFrame
 * @property {"sync"} t
 * @property {number} v the version of the protocol
 * @property {number} seq
 * @property {number} q
 * @property {number} now
 * @property {number | null} you
 * @property {boolean} help
 * @property {boolean} beginners whether all others are the bots for beginners
 * @property {number} behind_s
 * @property {"" | "hand" | "game"} opens_after
 * @property {TimeControl} time_control
 * @property {number} turn_at when the base time of the seat on turn begins; 0 without a running clock
 * @property {TableRequests} requests
 * @property {boolean[]} absent by seat: its player has no connection
 * @property {View} view
 * @property {ShortAction[]} legal
 * @property {ShortClock | null} clock
 * @property {import("../wall/state.js").Wall | null} [wall] the draw of the wall
 *
 * @typedef {object} EventsFrame
 * @property {"ev"} t
 * @property {number} seq
 * @property {number} q
 * @property {(TableEvent | ShortEvent)[]} e
 * @property {true} [furiten]
 * @property {ShortAction[]} [legal]
 * @property {ShortClock} [clock]
 *
 * @typedef {import("../table/hints.js").Study} StudyFrame
 * @typedef {{t: "chat", all: boolean, lines: import("../ui/chat.js").Line[]}} ChatFrame
 * @typedef {{t: "error", code: string, reason?: string, text: string, cid?: string}} ErrorFrame
 *
 * @typedef {SyncFrame | EventsFrame | (StudyFrame & {t: "study"}) | ChatFrame | ErrorFrame |
 *   {t: "ack", cid: string} | {t: "stale", cid: string, q: number} |
 *   {t: "pong", at: number, now: number} | {t: "seat_sockets" | "spectators", count: number} |
 *   {t: "absent", seats: boolean[]} | {t: "reported", line: string}} Frame
 */
export {};
