/**
 * Animates moves: measures positions before the table is drawn, and moves the new elements from there.
 * Nothing waits for an animation, and the drawn table is always current. There is none if the reader
 * wants none, in a hidden page, or after many events at once.
 *
 * @import { TableEvent, View } from "../table/types.js"
 * @import { Board } from "../ui/board.js"
 * @import { Box } from "./geometry.js"
 * @import { Move } from "./plan.js"
 * @typedef {{move: Move, box: Box | null, turn: number, isTurned: boolean}} Start
 * @typedef {{node: HTMLElement, frames: Keyframe[], duration: number}} Animated
 */
import { TURNS, transformFrom, shorterRotation } from "./geometry.js";
import { plan } from "./plan.js";
import { elementsAt, seatOf } from "./spots.js";

const AT_ONCE = 6;
/** Moves that shift the tiles of a hand. @type {Set<Move["kind"]>} */
const SHIFTS = new Set(["sort", "lay"]);
const EASE = "cubic-bezier(0.2, 0.75, 0.25, 1)";
/** @type {Record<Move["kind"], number>} */
const LASTS_MS = {
  deal: 320,
  draw: 130,
  discard: 170,
  sort: 140,
  claim: 230,
  lay: 200,
  stick: 260,
  dora: 320,
  win: 700,
};

export class Motion {
  /** @type {Move[]} */
  #moves = [];
  #events = 0;

  /** @param {HTMLElement} root `data-motion="off"` on it ends all motion @param {Board} board */
  constructor(root, board) {
    this.root = root;
    this.board = board;
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /**
   * Plan the moves of an event since the table was drawn.
   * @param {View} before
   * @param {View} after
   * @param {TableEvent} event
   */
  planMoves(before, after, event) {
    const moves = plan(before, after, event);
    this.#moves.push(...moves);
    if (moves.length > 0) this.#events += 1;
  }

  /** Drop the planned moves. */
  reset() {
    this.#moves = [];
    this.#events = 0;
  }

  /**
   * Draw the table, and play the planned moves.
   * @param {() => void} draw
   */
  drawWithMotion(draw) {
    const moves = this.#events > AT_ONCE || this.#isOff() ? [] : this.#moves;
    this.reset();
    if (moves.length === 0) return draw();
    const starts = moves.map((move) => this.#startOf(move));
    const isShifting = moves.some(({ kind, to }) => SHIFTS.has(kind) && this.board.placeOf(seatOf(to)) === "bottom");
    const kept = isShifting ? this.#handPositions() : null;
    draw();
    // Measure everything before anything moves: each measurement after that costs a new layout.
    const runs = starts.flatMap((start) => this.#animationsOf(start));
    if (kept !== null) runs.push(...this.#handSlides(kept));
    runs.forEach(animate);
  }

  #isOff() {
    return this.root.dataset.motion === "off" || this.reduced.matches || document.hidden;
  }

  /** @param {Move} move @returns {Start} */
  #startOf(move) {
    const start = move.from === null ? null : elementsAt(this.board, move.from);
    const node = start?.nodes[0];
    return {
      move,
      box: node === undefined ? null : boxOf(node),
      turn: TURNS[start?.place ?? "bottom"],
      isTurned: node?.classList.contains("tile--turned") ?? false,
    };
  }

  /** The animations of a move. @param {Start} start @returns {Animated[]} */
  #animationsOf({ move, box, turn, isTurned }) {
    const found = elementsAt(this.board, move.to);
    const facing = TURNS[found.place];
    const duration = LASTS_MS[move.kind];
    const appear = APPEAR[move.kind];
    if (appear !== undefined) return found.nodes.map((node) => ({ node, frames: appear, duration }));
    if (box === null || move.kind === "sort") return [];
    return found.nodes.map((node) => {
      const { x, y, scale } = transformFrom(box, node.getBoundingClientRect(), facing);
      /** @type {[Keyframe, Keyframe]} */
      const frames = [
        { translate: `${x}px ${y}px`, scale },
        { translate: "0 0", scale: 1 },
      ];
      if (node.classList.contains("tile")) {
        const sideways = Number(node.classList.contains("tile--turned")) - Number(isTurned);
        frames[0].rotate = `${shorterRotation(turn, facing) + 90 * sideways}deg`;
        frames[1].rotate = "0deg";
      }
      return { node, frames, duration };
    });
  }

  /** Where each tile of the reader's hand lies, and the drawn one. */
  #handPositions() {
    const { hand } = this.board.sides.bottom;
    /** @type {Map<string, number>} */
    const lefts = new Map();
    for (const node of hand.children) {
      const { key = "" } = /** @type {HTMLElement} */ (node).dataset;
      lefts.set(key.startsWith("drawn") ? "drawn" : key, node.getBoundingClientRect().left);
    }
    return lefts;
  }

  /**
   * Slide the tiles of the hand to their new places; a new one comes from the drawn tile's.
   * @param {Map<string, number>} lefts
   */
  #handSlides(lefts) {
    const { hand } = this.board.sides.bottom;
    const nodes = /** @type {HTMLElement[]} */ ([...hand.children]);
    return nodes.flatMap((node) => {
      const left = lefts.get(node.dataset.key ?? "") ?? lefts.get("drawn");
      const way = left === undefined ? 0 : left - node.getBoundingClientRect().left;
      if (Math.abs(way) < 1 || node.classList.contains("tile--drawn")) return [];
      const frames = [{ translate: `${way}px 0` }, { translate: "0 0" }];
      return [{ node, frames, duration: LASTS_MS.sort }];
    });
  }
}

/**
 * The box that a move starts from: a tile's own, but only the middle of a whole hand.
 * @param {HTMLElement} node
 */
function boxOf(node) {
  const box = node.getBoundingClientRect();
  if (node.classList.contains("tile")) return box;
  return { left: box.left + box.width / 2, top: box.top + box.height / 2, width: 0, height: 0 };
}

/**
 * Animations of moves that start nowhere, in the directions of the seat.
 * @type {Partial<Record<Move["kind"], Keyframe[]>>}
 */
const APPEAR = {
  deal: [
    { opacity: 0, translate: "0 30%" },
    { opacity: 1, translate: "0 0" },
  ],
  draw: [
    { opacity: 0, translate: "0 -35%" },
    { opacity: 1, translate: "0 0" },
  ],
  lay: [
    { opacity: 0.4, translate: "0 70%" },
    { opacity: 1, translate: "0 0" },
  ],
  dora: [{ scale: "0 1" }, { scale: "1 1" }],
  win: [
    { filter: "none" },
    { filter: "brightness(1.35) drop-shadow(0 0 0.5em #ffd75e)", offset: 0.3 },
    { filter: "none" },
  ],
};

/** @param {Animated} run */
function animate({ node, frames, duration }) {
  const side = node.closest(".side");
  side?.classList.add("is-moving");
  const end = () => side?.classList.remove("is-moving");
  node.animate(frames, { duration, easing: EASE }).finished.then(end, end);
}
