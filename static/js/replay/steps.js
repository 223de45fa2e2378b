/**
 * The positions of a replay: the view after each event, forward and back. Pure.
 *
 * A position is the index of the last event that has happened. A snapshot is kept for each hand,
 * and the views of one hand, so that a step back costs no more than a step forward.
 *
 * @import { TableEvent, View } from "../table/types.js"
 *
 * @typedef {object} Result
 * @property {number} at
 * @property {"tsumo" | "ron" | "draw"} kind
 * @property {number[]} winners
 * @property {number} loser -1 if nobody dealt in
 * @property {string} reason
 * @property {number[]} deltas
 *
 * @typedef {{at: number, bakaze: string, kyoku: number, honba: number, scores: number[],
 *   result: Result | null}} ReplayHand
 * @typedef {{at: number, kind: "riichi" | "call" | "kan" | "north" | "win" | "deal_in" | "draw",
 *   actor: number}} Mark
 * @typedef {{at: number, seat: number, tiles: string[], furiten: boolean}} Waits
 *
 * @typedef {object} Script
 * @property {number} version
 * @property {string | null} id
 * @property {string[]} names
 * @property {View["rules"]} rules
 * @property {string | null} preset
 * @property {ReplayHand[]} hands
 * @property {TableEvent[]} events
 * @property {string[]} [levels] by seat: the id of the site's bot, empty for a player
 * @property {string[]} [avatars] by seat: a tile and a colour; empty for a bot or a player not named
 * @property {Mark[]} marks
 * @property {Waits[]} waits
 * @property {boolean} has_points false if the record of the game lacks points: those here follow
 *   from the rules alone
 * @property {{at: number, text_code?: string, text?: string, fields?: Record<string, any>}[]} differences
 */
import { emptyHand, reduce } from "../table/reduce.js";

/** Events in which a seat gets a tile, and so has a decision to make. */
const TURNS = new Set(["tsumo", "chi", "pon"]);

/** In place of unknown events before a known view. `reduce` never gets it. @type {any} */
const UNKNOWN = Object.freeze({ type: "unknown" });

/** The view before the first event. @param {string[]} names by seat @returns {View} */
export function emptyView(names) {
  return {
    rules: { name: "", length: "" },
    names,
    bots: names.map(() => false),
    away: names.map(() => false),
    phase: "idle",
    bakaze: "E",
    kyoku: 1,
    honba: 0,
    kyotaku: 0,
    oya: 0,
    scores: names.map(() => 0),
    left: 0,
    dora: [],
    turn: 0,
    drawn: null,
    claimed: null,
    robbing: false,
    hands: names.map(emptyHand),
    results: [],
    placement: [],
    history: [],
    bonus: [],
    broken_off: false,
  };
}

export class Steps {
  /** The view after the first event of each hand. @type {View[]} */
  #snapshots = [];
  #hand = -1;
  /** The views of `#hand`, as far as they have been asked for. @type {View[]} */
  #views = [];

  /** @param {Script} script */
  constructor(script) {
    this.script = script;
    let view = emptyView(script.names);
    let next = 0;
    for (const [at, event] of script.events.entries()) {
      view = reduce(view, event);
      if (script.hands[next]?.at === at) {
        this.#snapshots.push(view);
        next += 1;
      }
    }
  }

  /** The positions of a running table: none yet. */
  static ofTable() {
    /** @type {Script} */
    const script = {
      version: 1,
      id: null,
      names: [],
      rules: { name: "", length: "" },
      preset: null,
      has_points: true,
      hands: [],
      events: [],
      marks: [],
      waits: [],
      differences: [],
    };
    return new Steps(script);
  }

  /**
   * Add the position after an event that has just happened.
   * @param {TableEvent | null} event null for a view whose events are not known
   * @param {View} view
   */
  append(event, view) {
    const { events, hands } = this.script;
    const at = events.push(event ?? UNKNOWN) - 1;
    if (event !== null && event.type !== "start_kyoku") return;
    const { bakaze, kyoku, honba, scores } = view;
    hands.push({ at, bakaze, kyoku, honba, scores, result: null });
    this.#snapshots.push(view);
  }

  /** The first position: the first hand is dealt. */
  get first() {
    return this.script.hands[0].at;
  }

  get last() {
    return this.script.events.length - 1;
  }

  /** The nearest position that exists. @param {number} at */
  clamp(at) {
    return Number.isInteger(at) ? Math.min(Math.max(at, this.first), this.last) : this.first;
  }

  /** The hand of a position, from 0. @param {number} at */
  handOf(at) {
    const { hands } = this.script;
    let low = 0;
    let high = hands.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (hands[middle].at <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The last position of a hand. @param {number} hand */
  endOf(hand) {
    const next = this.script.hands[hand + 1];
    return next === undefined ? this.last : next.at - 1;
  }

  /** The view at a position. @param {number} at @returns {View} */
  view(at) {
    const hand = this.handOf(at);
    const start = this.script.hands[hand].at;
    if (hand !== this.#hand) {
      this.#hand = hand;
      this.#views = [this.#snapshots[hand]];
    }
    const views = this.#views;
    for (let known = views.length; known <= at - start; known += 1) {
      views.push(reduce(views[known - 1], this.script.events[start + known]));
    }
    return views[at - start];
  }

  /** The position of step `step` of hand `hand`, both from 0. @param {number} hand @param {number} step */
  position(hand, step) {
    const found = this.script.hands[hand];
    if (found === undefined || !Number.isInteger(step) || step < 0) return this.first;
    return Math.min(found.at + step, this.endOf(hand));
  }

  /**
   * The next position in which the seat has a tile to discard, or the previous one.
   * @param {number} at
   * @param {number} seat
   * @param {1 | -1} way
   */
  turn(at, seat, way) {
    const { events } = this.script;
    for (let next = at + way; next >= this.first && next <= this.last; next += way) {
      const event = events[next];
      if (TURNS.has(event.type) && "actor" in event && event.actor === seat) return next;
    }
    return way > 0 ? this.last : this.first;
  }

  /**
   * The start of the next hand; or the start of this hand, and from there of the previous one.
   * @param {number} at
   * @param {1 | -1} way
   */
  hand(at, way) {
    const hand = this.handOf(at);
    const { hands } = this.script;
    if (way > 0) return hands[hand + 1]?.at ?? this.last;
    return hands[hand].at < at ? hands[hand].at : (hands[hand - 1]?.at ?? this.first);
  }

  /** The waits of each seat at a position. @param {number} at @returns {(Waits | null)[]} */
  waits(at) {
    const start = this.script.hands[this.handOf(at)].at;
    /** @type {(Waits | null)[]} */
    const found = this.script.names.map(() => null);
    for (const waits of this.script.waits) {
      if (waits.at > at) break;
      if (waits.at >= start) found[waits.seat] = waits.tiles.length > 0 ? waits : null;
    }
    return found;
  }
}
