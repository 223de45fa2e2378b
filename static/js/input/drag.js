/**
 * Drags a tile of the hand. A tile dropped on the table is discarded. One dropped on the hand stays,
 * or moves if the reader arranges the hand. A drop discards only if the tile's action is still the
 * one that it had when the drag began.
 *
 * @typedef {object} Grip a tile under a pointer that is down
 * @property {HTMLElement} node
 * @property {number} pointer
 * @property {number} x where the pointer went down
 * @property {number} y
 * @property {string | undefined} meant its action at that time, as `data-action`
 * @property {number} far the greatest distance of the pointer from there
 * @property {DOMRect} box
 * @property {HTMLElement | null} ghost the copy of the tile that follows the pointer, once it is a drag
 */
import { isPressable } from "../ui/press.js";
import { isDrawn, isOwnTile, lower, ownTiles } from "./hand.js";
import { placeAt } from "../table/arrange.js";

/** A press becomes a drag at this distance. */
const SLIP_PX = 8;
/** A drop nearer than this, in heights of the tile, counts as a click. */
const SLIP_HEIGHTS = 0.3;
/** The browser's click at the end of a drag comes within this time. */
const CLICK_MS = 100;

export class Drag {
  /** @type {Grip | null} */
  #grip = null;
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
    root.addEventListener("pointerdown", (event) => this.#take(event));
    addEventListener("pointermove", (event) => this.#isOf(event) && this.#move(event));
    addEventListener("pointerup", (event) => this.#isOf(event) && this.#letGo(event));
    addEventListener("pointercancel", (event) => this.#isOf(event) && this.cancel());
  }

  /** Whether a tile is being dragged. */
  get isOn() {
    return this.#grip?.ghost != null;
  }

  /**
   * Whether a click is the end of a drag. The times are those of the events: a page that is busy
   * may handle the click much later.
   * @param {MouseEvent} event
   */
  isEndedBy(event) {
    return event.timeStamp - this.#endedAt < CLICK_MS;
  }

  cancel() {
    const wasOn = this.isOn;
    this.#grip?.ghost?.remove();
    this.#mark(null);
    this.#root.classList.remove("is-dragging", "is-discarding");
    this.#grip?.node.classList.remove("tile--taken");
    this.#grip = null;
    if (wasOn) this.#intents.redraw();
  }

  /** @param {PointerEvent} event */
  #isOf(event) {
    return this.#grip?.pointer === event.pointerId;
  }

  /** @param {PointerEvent} event */
  #take(event) {
    if (this.#grip !== null) return this.cancel();
    const node = event.target instanceof Element ? event.target.closest("button.tile") : null;
    if (event.button !== 0 || !(node instanceof HTMLElement) || !isOwnTile(node)) return;
    this.#grip = {
      node,
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      meant: node.dataset.action,
      far: 0,
      box: node.getBoundingClientRect(),
      ghost: null,
    };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const grip = /** @type {Grip} */ (this.#grip);
    if (!grip.node.isConnected || event.buttons === 0) return this.cancel();
    const [dx, dy] = [event.clientX - grip.x, event.clientY - grip.y];
    grip.far = Math.max(grip.far, Math.hypot(dx, dy));
    if (grip.ghost === null && grip.far < SLIP_PX) return;
    if (grip.ghost === null) {
      grip.ghost = this.#lift(grip);
      this.#intents.redraw();
    }
    grip.ghost.style.transform = `translate(${dx}px, ${dy}px)`;
    const isThrowing = this.#isAbove(grip, dy);
    this.#root.classList.toggle("is-discarding", isThrowing && this.#canThrow(grip));
    this.#mark(isThrowing ? null : this.#placeFor(grip, event));
  }

  /** @param {PointerEvent} event */
  #letGo(event) {
    const grip = /** @type {Grip} */ (this.#grip);
    const { node, ghost, box, far } = grip;
    if (ghost === null || far < box.height * SLIP_HEIGHTS) return this.cancel();
    this.#endedAt = event.timeStamp;
    const isThrown = this.#isAbove(grip, event.clientY - grip.y) && this.#canThrow(grip);
    const isAlong = !this.#isAbove(grip, event.clientY - grip.y);
    const place = isAlong ? this.#placeFor(grip, event) : null;
    const from = ownTiles(this.#root).indexOf(node);
    this.cancel();
    if (isThrown) this.#press(node);
    else if (place !== null && place !== from) this.#intents.arrange(from, place);
  }

  /** @param {Grip} grip */
  #lift({ node, box }) {
    lower(this.#root);
    const ghost = /** @type {HTMLElement} */ (node.cloneNode(true));
    ghost.className = `${node.className} dragged-tile`;
    ghost.removeAttribute("data-action");
    ghost.setAttribute("aria-hidden", "true");
    ghost.style.cssText = `left:${box.left}px;top:${box.top}px;--tile:${box.width}px`;
    node.classList.add("tile--taken");
    this.#root.append(ghost);
    this.#root.classList.add("is-dragging");
    return ghost;
  }

  /** Whether more than half of the tile is above the hand. @param {Grip} grip @param {number} dy */
  #isAbove({ node, box }, dy) {
    const hand = node.parentElement?.getBoundingClientRect();
    return hand !== undefined && box.top + box.height / 2 + dy < hand.top;
  }

  /**
   * Whether a drop may discard the tile: it had no action when the drag began, or still has the same.
   * @param {Grip} grip
   */
  #canThrow({ node, meant }) {
    return node.isConnected && isPressable(node) && (meant === undefined || meant === node.dataset.action);
  }

  /** @param {Grip} grip @param {PointerEvent} event @returns {number | null} */
  #placeFor({ node }, event) {
    if (!this.#intents.isArranging() || isDrawn(node)) return null;
    return placeAt(this.#others(node).map((one) => one.getBoundingClientRect()), event.clientX, event.clientY);
  }

  /** @param {HTMLElement} node */
  #others(node) {
    return ownTiles(this.#root).filter((one) => one !== node && !isDrawn(one));
  }

  /** Mark the place where the tile would be inserted. @param {number | null} place */
  #mark(place) {
    const others = this.#grip === null ? [] : this.#others(this.#grip.node);
    for (const [at, one] of others.entries()) {
      one.classList.toggle("tile--before", place === at);
      one.classList.toggle("tile--after", place === others.length && at === place - 1);
    }
  }
}
