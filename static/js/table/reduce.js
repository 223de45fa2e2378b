/**
 * Applies events to a view, as `docs/protocol.md` says in "How a client applies events". Pure;
 * returns a new view and checks no rules.
 *
 * @import { EventOf, EventType, Hand, Meld, TableEvent, View } from "./types.js"
 */
import { kindOf, sorted, without } from "./tiles.js";

/**
 * How many tiles can be drawn after the deal, by the number of players.
 * @type {Record<number, number>}
 */
const DRAWS = { 3: 55, 4: 70 };

/**
 * Events that change nothing are not listed.
 * @type {{[T in EventType]?: (view: View, event: EventOf<T>) => View}}
 */
const EFFECTS = {
  start_game: (view, { names, rules }) => ({ ...view, names, rules }),

  start_kyoku: (view, event) => ({
    ...view,
    phase: "turn",
    bakaze: event.bakaze,
    kyoku: event.kyoku,
    honba: event.honba,
    kyotaku: event.kyotaku,
    oya: event.oya,
    scores: event.scores,
    left: DRAWS[event.scores.length],
    dora: [event.dora_marker],
    turn: event.oya,
    drawn: null,
    claimed: null,
    robbing: false,
    hands: event.tehais.map(dealtHand),
    results: [],
    history: [...view.history, [event.bakaze, event.kyoku, event.honba, event.scores]],
  }),

  tsumo: (view, { actor, pai, rinshan }) => ({
    ...view,
    phase: "turn",
    turn: actor,
    drawn: pai,
    claimed: null,
    robbing: false,
    left: view.left - 1,
    hands: rinshan && interrupts(view) ? view.hands.map(withoutIppatsu) : view.hands,
  }),

  dahai: (view, { actor, pai, tsumogiri }) => ({
    ...changeHand(view, actor, (hand) => afterDiscard(hand, view.drawn, pai, tsumogiri)),
    phase: "claims",
    turn: actor,
    drawn: null,
    claimed: pai,
    robbing: false,
  }),

  reach: (view, { actor, double }) =>
    changeHand(view, actor, (hand) => ({ ...hand, riichi: "declared", double_riichi: double })),

  reach_accepted: (view, { actor }) => ({
    ...changeHand(view, actor, (hand) => ({ ...hand, riichi: "accepted", ippatsu: true })),
    kyotaku: view.kyotaku + 1,
    scores: view.scores.map((score, seat) => (seat === actor ? score - 1000 : score)),
  }),

  chi: applyCall,
  pon: applyCall,
  daiminkan: applyCall,

  ankan: (view, { actor, consumed }) =>
    applyKan(view, actor, consumed[0], (hand) => ({
      ...hand,
      tiles: without(hand.tiles, consumed),
      melds: [...hand.melds, { type: "ankan", tiles: sorted(consumed), called: null, target: actor, added: null }],
    })),

  kakan: (view, { actor, pai }) =>
    applyKan(view, actor, pai, (hand) => ({
      ...hand,
      tiles: without(hand.tiles, [pai]),
      melds: hand.melds.map((meld) =>
        meld.type === "pon" && kindOf(meld.tiles[0]) === kindOf(pai)
          ? { ...meld, type: "kakan", tiles: sorted([...meld.tiles, pai]), added: pai }
          : meld,
      ),
    })),

  kita: (view, { actor, pai }) =>
    applyKan(view, actor, pai, (hand) => ({
      ...hand,
      tiles: without(hand.tiles, [pai]),
      norths: (hand.norths ?? 0) + 1,
    })),

  dora: (view, { dora_marker }) => ({ ...view, dora: [...view.dora, dora_marker] }),

  hora: (view, event) => ({
    ...changeHand(withoutRobbedNorth(view, event), event.actor, (hand) => ({
      ...hand,
      tiles: event.tehai,
      shown: true,
    })),
    drawn: event.actor === event.target ? event.pai : view.drawn,
    scores: event.scores,
    kyotaku: view.kyotaku - sticksIn(event.deltas),
    results: [...view.results, event],
  }),

  wall_used_up: (view) => ({ ...view, phase: "showing", claimed: null }),

  ryukyoku: (view, event) => ({
    ...view,
    drawn: null,
    scores: event.scores,
    kyotaku: view.kyotaku - sticksIn(event.deltas),
    hands: view.hands.map((hand, seat) =>
      event.tehais[seat].length > 0 ? { ...hand, tiles: event.tehais[seat], shown: true } : hand,
    ),
    results: [...view.results, event],
  }),

  end_kyoku: (view) => ({ ...view, phase: "result" }),

  end_game: (view, { scores, placement, bonus, broken_off = false }) => ({
    ...view,
    phase: "ended",
    scores,
    kyotaku: 0,
    placement,
    bonus,
    broken_off,
  }),

  away: (view, { actor, away }) => ({
    ...view,
    away: view.away.map((was, seat) => (seat === actor ? away : was)),
  }),
};

/**
 * The view after the event.
 * @param {View} view
 * @param {TableEvent} event
 * @returns {View}
 */
export function reduce(view, event) {
  const effect = /** @type {((...args: [View, TableEvent]) => View) | undefined} */ (EFFECTS[event.type]);
  return effect === undefined ? view : effect(view, event);
}

/**
 * Set a seat's furiten, which comes with each frame and not with an event.
 * @param {View} view
 * @param {number} seat
 * @param {boolean} furiten
 * @returns {View}
 */
export function withFuriten(view, seat, furiten) {
  return view.hands[seat].furiten === furiten ? view : changeHand(view, seat, (hand) => ({ ...hand, furiten }));
}

/** @returns {Hand} a hand without tiles */
export function emptyHand() {
  return {
    tiles: [],
    melds: [],
    river: [],
    riichi: "none",
    double_riichi: false,
    ippatsu: false,
    furiten: false,
    shown: false,
  };
}

/** @param {string[]} tiles @returns {Hand} */
const dealtHand = (tiles) => ({ ...emptyHand(), tiles: sorted(tiles) });

/**
 * Count the riichi sticks in changes of points: what winners gain and nobody pays.
 * @param {number[]} deltas
 */
const sticksIn = (deltas) => deltas.reduce((sum, delta) => sum + delta, 0) / 1000;

/**
 * Whether the open tile is a north that is being set aside, and not one that is added to a kan.
 * @param {View} view
 */
export const isNorthOpen = ({ robbing, claimed, turn, hands }) =>
  robbing && claimed === "N" && (hands[turn].norths ?? 0) > 0;

/**
 * Whether the kan or north before a replacement tile ends ippatsu.
 * @param {View} view
 */
const interrupts = (view) => view.rules.nuki_interrupts !== false || !isNorthOpen(view);

/** @param {Hand} hand @returns {Hand} */
const withoutIppatsu = (hand) => (hand.ippatsu ? { ...hand, ippatsu: false } : hand);

/**
 * @param {View} view
 * @param {number} seat
 * @param {(hand: Hand) => Hand} change
 */
function changeHand(view, seat, change) {
  return { ...view, hands: view.hands.map((hand, at) => (at === seat ? change(hand) : hand)) };
}

/** @param {string[]} tiles @param {string | null} drawn @returns {string[]} */
const withDrawn = (tiles, drawn) => (drawn === null ? tiles : sorted([...tiles, drawn]));

/**
 * @param {Hand} hand
 * @param {string | null} drawn
 * @param {string} pai
 * @param {boolean} tsumogiri
 */
function afterDiscard(hand, drawn, pai, tsumogiri) {
  const isTurned = hand.riichi !== "none" && !hand.river.some((tile) => tile.riichi && !tile.taken);
  return {
    ...hand,
    tiles: tsumogiri ? hand.tiles : withDrawn(without(hand.tiles, [pai]), drawn),
    ippatsu: false,
    river: [...hand.river, { pai, tsumogiri, riichi: isTurned, taken: false }],
  };
}

/** @param {View} view @param {import("./types.js").Call} event @returns {View} */
function applyCall(view, { type, actor, target, pai, consumed }) {
  /** @type {Meld} */
  const meld = { type, tiles: sorted([pai, ...consumed]), called: pai, target, added: null };
  const hands = view.hands.map(withoutIppatsu).map((hand, seat) => {
    if (seat === actor) {
      return { ...hand, tiles: without(hand.tiles, consumed), melds: [...hand.melds, meld] };
    }
    return seat === target ? { ...hand, river: withLastTaken(hand.river) } : hand;
  });
  return { ...view, hands, phase: "turn", turn: actor, drawn: null, claimed: null };
}

/** @param {import("./types.js").RiverTile[]} river */
function withLastTaken(river) {
  return river.map((tile, at) => (at === river.length - 1 ? { ...tile, taken: true } : tile));
}

/**
 * The view in which a north that is won on no longer counts for the seat that set it aside.
 * @param {View} view
 * @param {import("./types.js").Win} event
 * @returns {View}
 */
function withoutRobbedNorth(view, { target }) {
  if (!isNorthOpen(view) || view.results.length > 0) return view;
  return changeHand(view, target, (hand) => ({ ...hand, norths: (hand.norths ?? 0) - 1 }));
}

/**
 * @param {View} view
 * @param {number} actor
 * @param {string} pai
 * @param {(hand: Hand) => Hand} lay
 * @returns {View}
 */
function applyKan(view, actor, pai, lay) {
  return {
    ...changeHand(view, actor, (hand) => lay({ ...hand, tiles: withDrawn(hand.tiles, view.drawn) })),
    phase: "claims",
    turn: actor,
    drawn: null,
    claimed: pai,
    robbing: true,
  };
}
