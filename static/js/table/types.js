/**
 * The shapes of `docs/protocol.md`, for the type checker. Nothing here runs.
 *
 * @typedef {object} Meld
 * @property {"chi" | "pon" | "daiminkan" | "ankan" | "kakan"} type
 * @property {string[]} tiles
 * @property {string | null} called
 * @property {number} target
 * @property {string | null} added
 *
 * @typedef {object} RiverTile
 * @property {string} pai
 * @property {boolean} tsumogiri
 * @property {boolean} riichi
 * @property {boolean} taken
 *
 * @typedef {object} Hand
 * @property {string[]} tiles
 * @property {Meld[]} melds
 * @property {RiverTile[]} river
 * @property {"none" | "declared" | "accepted"} riichi
 * @property {boolean} double_riichi
 * @property {boolean} ippatsu
 * @property {boolean} furiten
 * @property {boolean} shown
 * @property {number} [norths] how many norths are set aside; none if it is left out
 *
 * @typedef {"idle" | "turn" | "claims" | "showing" | "result" | "ended"} Phase
 *
 * @typedef {object} View
 * @property {{name: string, length: string, false_declarations?: boolean, norths?: boolean,
 *   nuki_interrupts?: boolean}} rules `nuki_interrupts` is true if it is left out
 * @property {string[]} names
 * @property {boolean[]} bots
 * @property {string[]} [avatars] by seat: a tile and a colour, such as `5mr-blue`; empty for a bot
 * @property {string[]} [levels] by seat: the id of the site's bot, empty for a player
 * @property {number[]} [ratings] by seat: the rating at the start of a rated game, 0 for none
 * @property {boolean[]} away
 * @property {Phase} phase
 * @property {string} bakaze
 * @property {number} kyoku
 * @property {number} honba
 * @property {number} kyotaku
 * @property {number} oya
 * @property {number[]} scores
 * @property {number} left
 * @property {string[]} dora
 * @property {number} turn
 * @property {string | null} drawn
 * @property {string | null} claimed
 * @property {boolean} robbing
 * @property {Hand[]} hands
 * @property {Result[]} results
 * @property {[number, number][]} placement
 * @property {[string, number, number, number[]][]} history the hands dealt: wind, number, honba,
 *   and the scores before each
 * @property {[number, number][]} bonus after the game, by seat: uma and oka
 * @property {boolean} [broken_off] the game was ended before the rules end it; older records lack it
 *
 * @typedef {Win | DrawnHand} Result
 *
 * @typedef {object} Win
 * @property {"hora"} type
 * @property {number} actor
 * @property {number} target
 * @property {string} pai
 * @property {string[]} tehai
 * @property {string[]} uradora_markers
 * @property {[string, number][]} yaku
 * @property {number} fan
 * @property {number} fu
 * @property {number} yakuman
 * @property {string} limit
 * @property {number} points
 * @property {number} liable
 * @property {number[]} deltas
 * @property {number[]} scores
 * @property {[string, number, string | null][]} fu_parts
 *
 * @typedef {object} DrawnHand
 * @property {"ryukyoku"} type
 * @property {string} reason
 * @property {string[][]} tehais
 * @property {boolean[]} tenpais
 * @property {number[]} deltas
 * @property {number[]} scores
 * @property {number} actor
 * @property {number[]} nagashi
 * @property {string} foul
 * @property {number[]} offenders
 * @property {string[][]} [waits] by seat, of the hands that are shown as tenpai
 *
 * @typedef {object} Action
 * @property {string} type
 * @property {string} [pai]
 * @property {boolean} [tsumogiri]
 * @property {string[]} [consumed]
 *
 * @typedef {object} Clock
 * @property {number} asked_at
 * @property {number} base_ms
 * @property {number} bank_ms
 * @property {number} deadline
 *
 * @typedef {{type: "start_game", names: string[], rules: View["rules"]}} StartGame
 * @typedef {{type: "start_kyoku", bakaze: string, kyoku: number, honba: number, kyotaku: number,
 *   oya: number, dora_marker: string, scores: number[], tehais: string[][]}} StartKyoku
 * @typedef {{type: "tsumo", actor: number, pai: string, rinshan: boolean}} Tsumo
 * @typedef {{type: "dahai", actor: number, pai: string, tsumogiri: boolean}} Dahai
 * @typedef {{type: "reach", actor: number, double: boolean}} Reach
 * @typedef {{type: "reach_accepted", actor: number}} ReachAccepted
 * @typedef {{type: "chi" | "pon" | "daiminkan", actor: number, target: number, pai: string,
 *   consumed: string[]}} Call
 * @typedef {{type: "ankan", actor: number, consumed: string[]}} Ankan
 * @typedef {{type: "kakan", actor: number, pai: string, consumed: string[]}} Kakan
 * @typedef {{type: "kita", actor: number, pai: string}} Kita
 * @typedef {{type: "dora", dora_marker: string}} Dora
 * @typedef {{type: "answer", actor: number, action: Action}} Answer
 * @typedef {{type: "wall_used_up"}} WallUsedUp
 * @typedef {{type: "end_kyoku"}} EndKyoku
 * @typedef {{type: "end_game", scores: number[], placement: [number, number][],
 *   bonus: [number, number][], broken_off?: boolean}} EndGame
 * @typedef {{type: "away", actor: number, away: boolean}} Away
 * @typedef {{type: "restored", reason: string}} Restored
 * @typedef {{type: "last_hand"}} LastHand
 *
 * @typedef {StartGame | StartKyoku | Tsumo | Dahai | Reach | ReachAccepted | Call | Ankan | Kakan |
 *   Kita | Dora | Answer | Win | DrawnHand | WallUsedUp | EndKyoku | EndGame | Away |
 *   Restored | LastHand | import("../wall/state.js").WallEvent} TableEvent
 * @typedef {TableEvent["type"]} EventType
 */
/**
 * The event of that type.
 * @template {EventType} T
 * @typedef {T extends Call["type"] ? Call & {type: T} : Extract<TableEvent, {type: T}>} EventOf
 */
export {};
