/**
 * Drags a tile of the hand. A tile dropped on the table is discarded. One dropped on the hand stays,
 * or moves if the reader arranges the hand. A drop discards only if the tile's action is still the
 * one that it had when the drag began.
 *
 * @typedef {object} HeldTile a tile under a pointer that is down
 * @property {HTMLElement} node
 * @property {number} pointer
 * @property {number} x where the pointer went down
 * @property {number} y
 * @property {string | undefined} action its action at that time, as `data-action`
 * @property {number} distance the greatest distance of the pointer from there
 * @property {DOMRect} box
 * @property {HTMLElement | null} copy the copy of the tile that follows the pointer, once it is a drag
 */
import { isPressable } from "../ui/press.js";
import { isDrawn, isOwnTile, lowerTile, ownTiles } from "./hand_tiles.js";
import { dropPlace } from "../table/arrange.js";

/** A press becomes a drag at this distance. */
const DRAG_PX = 8;
/** A drop nearer than this, in heights of the tile, counts as a click. */
const MAX_CLICK_HEIGHTS = 0.3;
/** The browser's click at the end of a drag comes within this time. */
const CLICK_MS = 100;

export class Drag {
  /** @type {HeldTile | null} */
  #held = null;
  #endedAt = -Infinity;
  #root;
  #intents;
  #press;

  /**
   * @param {HTMLElement} root
   * @param {import("../input.js").Intents} intents
   * @param {(node: HTMLElement) => void} press
   */
  constructor(root, intents, press) {
    this.#root = root;
    this.#intents = intents;
    this.#press = press;
    root.addEventListener("pointerdown", (event) => this.#onDown(event));
    addEventListener("pointermove", (event) => this.#isHeldBy(event) && this.#onMove(event));
    addEventListener("pointerup", (event) => this.#isHeldBy(event) && this.#onUp(event));
    addEventListener("pointercancel", (event) => this.#isHeldBy(event) && this.stop());
  }

  /** Whether a tile is being dragged. */
  get isDragging() {
    return this.#held?.copy != null;
  }

  /**
   * Whether a click is the end of a drag. The times are those of the events: a page that is busy
   * may handle the click much later.
   * @param {MouseEvent} event
   */
  isEndOfDrag(event) {
    return event.timeStamp - this.#endedAt < CLICK_MS;
  }

  /** Put the tile back. */
  stop() {
    const wasDragging = this.isDragging;
    this.#held?.copy?.remove();
    this.#mark(null);
    this.#root.classList.remove("is-dragging", "is-discarding");
    this.#held?.node.classList.remove("tile--taken");
    this.#held = null;
    if (wasDragging) this.#intents.redraw();
  }

  /** @param {PointerEvent} event */
  #isHeldBy(event) {
    return this.#held?.pointer === event.pointerId;
  }

  /** @param {PointerEvent} event */
  #onDown(event) {
    if (this.#held !== null) return this.stop();
    const node = event.target instanceof Element ? event.target.closest("button.tile") : null;
    if (event.button !== 0 || !(node instanceof HTMLElement) || !isOwnTile(node)) return;
    this.#held = {
      node,
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      action: node.dataset.action,
      distance: 0,
      box: node.getBoundingClientRect(),
      copy: null,
    };
  }

  /** @param {PointerEvent} event */
  #onMove(event) {
    const held = /** @type {HeldTile} */ (this.#held);
    if (!held.node.isConnected || event.buttons === 0) return this.stop();
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    held.distance = Math.max(held.distance, Math.hypot(dx, dy));
    if (held.copy === null && held.distance < DRAG_PX) return;
    if (held.copy === null) {
      held.copy = this.#startDrag(held);
      this.#intents.redraw();
    }
    held.copy.style.transform = `translate(${dx}px, ${dy}px)`;
    const isDiscarding = this.#isAbove(held, dy);
    this.#root.classList.toggle("is-discarding", isDiscarding && this.#canDiscard(held));
    this.#mark(isDiscarding ? null : this.#dropPlace(held, event));
  }

  /** @param {PointerEvent} event */
  #onUp(event) {
    const held = /** @type {HeldTile} */ (this.#held);
    const { node, copy, box, distance } = held;
    if (copy === null || distance < box.height * MAX_CLICK_HEIGHTS) return this.stop();
    this.#endedAt = event.timeStamp;
    const isDiscarded = this.#isAbove(held, event.clientY - held.y) && this.#canDiscard(held);
    const isOnHand = !this.#isAbove(held, event.clientY - held.y);
    const place = isOnHand ? this.#dropPlace(held, event) : null;
    const from = ownTiles(this.#root).indexOf(node);
    this.stop();
    if (isDiscarded) this.#press(node);
    else if (place !== null && place !== from) this.#intents.arrange(from, place);
  }

  /** @param {HeldTile} held */
  #startDrag({ node, box }) {
    lowerTile(this.#root);
    const copy = /** @type {HTMLElement} */ (node.cloneNode(true));
    copy.className = `${node.className} dragged-tile`;
    copy.removeAttribute("data-action");
    copy.setAttribute("aria-hidden", "true");
    copy.style.cssText = `left:${box.left}px;top:${box.top}px;--tile:${box.width}px`;
    node.classList.add("tile--taken");
    this.#root.append(copy);
    this.#root.classList.add("is-dragging");
    return copy;
  }

  /** Whether more than half of the tile is above the hand. @param {HeldTile} held @param {number} dy */
  #isAbove({ node, box }, dy) {
    const hand = node.parentElement?.getBoundingClientRect();
    return hand !== undefined && box.top + box.height / 2 + dy < hand.top;
  }

  /**
   * Whether a drop may discard the tile: it had no action when the drag began, or still has the same.
   * @param {HeldTile} held
   */
  #canDiscard({ node, action }) {
    return node.isConnected && isPressable(node) && (action === undefined || action === node.dataset.action);
  }

  /** @param {HeldTile} held @param {PointerEvent} event @returns {number | null} */
  #dropPlace({ node }, event) {
    if (!this.#intents.isArranging() || isDrawn(node)) return null;
    return dropPlace(
      this.#otherTiles(node).map((tile) => tile.getBoundingClientRect()),
      event.clientX,
      event.clientY,
    );
  }

  /** @param {HTMLElement} node */
  #otherTiles(node) {
    return ownTiles(this.#root).filter((tile) => tile !== node && !isDrawn(tile));
  }

  /** Mark the place where the tile would be inserted. @param {number | null} place */
  #mark(place) {
    const others = this.#held === null ? [] : this.#otherTiles(this.#held.node);
    for (const [at, tile] of others.entries()) {
      tile.classList.toggle("tile--before", place === at);
      tile.classList.toggle("tile--after", place === others.length && at === place - 1);
    }
  }
}
