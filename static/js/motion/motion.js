/**
 * Plays what moves. It measures where things lie before the table is drawn anew, and lets
 * what is drawn come from there: nothing waits for it, and what is drawn is true from the
 * first moment. No motion where the reader wants none, where nobody looks, and where so much
 * has happened at once that nobody could follow.
 *
 * @typedef {import("../ui/board.js").Board} Board
 * @typedef {import("../table/types.js").View} View
 * @typedef {import("../table/types.js").TableEvent} TableEvent
 * @typedef {import("./plan.js").Move} Move
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {{move: Move, box: Box | null, turn: number, isTurned: boolean}} Start
 */
import { PLACES } from "../table/display.js";
import { TURNS, back, between } from "./geometry.js";
import { plan } from "./plan.js";
import { lying } from "./spots.js";

const AT_ONCE = 6;
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

  /** What has happened since the table was drawn. @param {View} before @param {View} after @param {TableEvent} event */
  note(before, after, event) {
    const moves = plan(before, after, event);
    this.#moves.push(...moves);
    if (moves.length > 0) this.#events += 1;
  }

  /** A new picture: nothing leads to it. */
  forget() {
    this.#moves = [];
    this.#events = 0;
  }

  /**
   * Draw, and let what is new move in.
   * @param {number} bottom the seat at the bottom
   * @param {() => void} draw
   */
  around(bottom, draw) {
    const moves = this.#events > AT_ONCE || this.#isOff() ? [] : this.#moves;
    this.forget();
    if (moves.length === 0) return draw();
    const starts = moves.map((move) => this.#start(move, bottom));
    const kept = moves.some(({ kind }) => kind === "sort" || kind === "lay") ? this.#hand() : null;
    draw();
    for (const start of starts) this.#play(start, bottom);
    if (kept !== null) this.#slide(kept);
  }

  #isOff() {
    return this.root.dataset.motion === "off" || this.reduced.matches || document.hidden;
  }

  /** @param {Move} move @param {number} bottom @returns {Start} */
  #start(move, bottom) {
    const { nodes, turn } = move.from === null ? { nodes: [], turn: 0 } : lying(this.board, move.from, bottom);
    const [node] = nodes;
    return {
      move,
      box: node === undefined ? null : boxOf(node),
      turn: TURNS[PLACES[turn]],
      isTurned: node?.classList.contains("tile--turned") ?? false,
    };
  }

  /** @param {Start} start @param {number} bottom */
  #play({ move, box, turn, isTurned }, bottom) {
    const found = lying(this.board, move.to, bottom);
    const facing = TURNS[PLACES[found.turn]];
    for (const node of found.nodes) {
      const appear = APPEAR[move.kind];
      if (appear !== undefined) animate(node, appear, LASTS_MS[move.kind]);
      else if (box !== null && move.kind !== "sort") {
        const { x, y, scale } = back(box, node.getBoundingClientRect(), facing);
        /** @type {[Keyframe, Keyframe]} */
        const way = [{ translate: `${x}px ${y}px`, scale }, { translate: "0 0", scale: 1 }];
        if (node.classList.contains("tile")) {
          const sideways = Number(node.classList.contains("tile--turned")) - Number(isTurned);
          way[0].rotate = `${between(turn, facing) + 90 * sideways}deg`;
          way[1].rotate = "0deg";
        }
        animate(node, way, LASTS_MS[move.kind]);
      }
    }
  }

  /** Where each tile of the reader's hand lies, and the drawn one. */
  #hand() {
    const { hand } = this.board.sides[0];
    /** @type {Map<string, number>} */
    const lefts = new Map();
    for (const node of hand.children) {
      const { key = "" } = /** @type {HTMLElement} */ (node).dataset;
      lefts.set(key.startsWith("drawn") ? "drawn" : key, node.getBoundingClientRect().left);
    }
    return lefts;
  }

  /**
   * Tiles that the hand keeps slide to their new places; what is new among them was drawn.
   * @param {Map<string, number>} lefts
   */
  #slide(lefts) {
    const { hand } = this.board.sides[0];
    const nodes = /** @type {HTMLElement[]} */ ([...hand.children]);
    const ways = nodes.map((node) => {
      const left = lefts.get(node.dataset.key ?? "") ?? lefts.get("drawn");
      return left === undefined ? 0 : left - node.getBoundingClientRect().left;
    });
    for (const [at, node] of nodes.entries()) {
      if (Math.abs(ways[at]) < 1 || node.classList.contains("tile--drawn")) continue;
      animate(node, [{ translate: `${ways[at]}px 0` }, { translate: "0 0" }], LASTS_MS.sort);
    }
  }
}

/**
 * Where something comes from: a tile's own box, but of a whole hand its middle alone.
 * @param {HTMLElement} node
 * @returns {Box}
 */
function boxOf(node) {
  const box = node.getBoundingClientRect();
  if (node.classList.contains("tile")) return box;
  return { left: box.left + box.width / 2, top: box.top + box.height / 2, width: 0, height: 0 };
}

/** What comes from nowhere: in the directions of its seat. @type {Partial<Record<Move["kind"], Keyframe[]>>} */
const APPEAR = {
  deal: [{ opacity: 0, translate: "0 30%" }, { opacity: 1, translate: "0 0" }],
  draw: [{ opacity: 0, translate: "0 -35%" }, { opacity: 1, translate: "0 0" }],
  lay: [{ opacity: 0.4, translate: "0 70%" }, { opacity: 1, translate: "0 0" }],
  dora: [{ scale: "0 1" }, { scale: "1 1" }],
  win: [
    { filter: "none" },
    { filter: "brightness(1.35) drop-shadow(0 0 0.5em #ffd75e)", offset: 0.3 },
    { filter: "none" },
  ],
};

/** @param {HTMLElement} node @param {Keyframe[]} frames @param {number} duration */
function animate(node, frames, duration) {
  const side = node.closest(".side, .own");
  side?.classList.add("is-moving");
  const end = () => side?.classList.remove("is-moving");
  node.animate(frames, { duration, easing: EASE }).finished.then(end, end);
}
