/**
 * Marks the copies of the tile that the reader points to, in rivers and melds: with the mouse, with a
 * finger, or with the focus of the keyboard. A red five counts as a five. The marks go when the
 * pointer has rested for a while. It presses nothing: that is in `input.js`.
 */
import { settings } from "../settings.js";
import { HIDDEN, kindOf } from "../table/tiles.js";

/** A called tile is marked in its meld, not in the river. */
const COUNTED = ":is(mj-river, mj-melds) .tile:not(.tile--back, .tile--taken)";
/** How long a pointer rests before the marks go. */
const REST_MS = 2_000;

export class SameTiles {
  /** @type {HTMLElement | null} the tile that the reader points to */
  #pointed = null;
  #isMarked = false;
  #isFocused = false;
  #timer = 0;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    root.addEventListener("pointerover", ({ pointerType, target }) => {
      if (pointerType !== "touch") this.#point(target);
    });
    root.addEventListener("pointermove", () => this.#isMarked && this.#waitForRest());
    root.addEventListener("pointerleave", ({ pointerType }) => {
      if (pointerType !== "touch") this.#point(null);
    });
    root.addEventListener("pointerdown", ({ pointerType, target }) => {
      if (pointerType === "touch") this.#point(target);
    });
    root.addEventListener("focusin", ({ target }) => {
      if (!(target instanceof Element) || !target.matches(".tile:focus-visible")) return;
      this.#point(target);
      this.#isFocused = true;
    });
    root.addEventListener("focusout", () => this.#isFocused && this.#point(null));
    settings.subscribe((key) => key === "same_tiles" && this.draw());
  }

  /** Mark the tiles that are there now. Call it when the table has been drawn. */
  draw() {
    if (this.#pointed?.isConnected === false) this.#pointed = null;
    const kind = settings.get("same_tiles") ? kindAt(this.#pointed) : "";
    if (kind === "" && !this.#isMarked) return;
    this.#isMarked = kind !== "";
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(".tile"))) {
      node.classList.toggle("tile--same", kindAt(node) === kind && node.matches(COUNTED));
    }
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    const node = target instanceof Element ? target.closest(".tile") : null;
    const pointed = node instanceof HTMLElement ? node : null;
    this.#isFocused = false;
    if (pointed === this.#pointed) return;
    this.#pointed = pointed;
    this.draw();
    this.#waitForRest();
  }

  #waitForRest() {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#point(null), REST_MS);
  }
}

/** The kind of a tile, empty for one that is not open. @param {HTMLElement | null} node */
function kindAt(node) {
  const { pai = HIDDEN } = node?.dataset ?? {};
  return pai === HIDDEN ? "" : kindOf(pai);
}
