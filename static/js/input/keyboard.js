/**
 * The keyboard: moves the focus along the hand and the calls, and presses elements, which carry
 * their action. The keys are listed in `table/keys.js`.
 *
 * @typedef {object} Keyboard
 * @property {HTMLElement} root
 * @property {import("../input.js").Intents} intents
 * @property {(button: HTMLElement) => void} press
 */
import { settings } from "../settings.js";
import { AUTO_LETTERS, DRAWN_LETTER, READ_KEYS, SHEET_KEYS, placeOfKey } from "../table/keys.js";
import { isPressable } from "../ui/press.js";
import { callsOf, isDrawn, ownTiles } from "./hand_tiles.js";

/**
 * @param {Keyboard} keyboard
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key has an effect
 */
export function onKey(keyboard, event) {
  const { root } = keyboard;
  switch (event.key) {
    case "ArrowLeft":
      return event.shiftKey ? moveFocusedTile(keyboard, -1) : moveFocus(root, -1);
    case "ArrowRight":
      return event.shiftKey ? moveFocusedTile(keyboard, 1) : moveFocus(root, 1);
    case "ArrowUp":
      return focusOn(callsOf(root).filter(isPressable)[0]);
    case "ArrowDown":
      return !ownTiles(root).includes(focused()) && focusNext(ownTiles(root), -1);
    case "Home":
      return focusOn(ownTiles(root)[0]);
    case "End":
      return focusOn(ownTiles(root).at(-1));
    case "Enter":
    case " ":
      return onEnter(keyboard);
    case "Escape":
      return onEscape(keyboard);
    default:
      return settings.get("letter_keys") && onCharacter(keyboard, event);
  }
}

const focused = () => /** @type {HTMLElement} */ (document.activeElement);

/** @param {HTMLElement | undefined} node */
function focusOn(node) {
  node?.focus();
  return node !== undefined;
}

/**
 * Move the focus along the calls if it is there, else along the hand.
 * @param {HTMLElement} root
 * @param {number} by
 */
function moveFocus(root, by) {
  const calls = callsOf(root);
  return focusNext(calls.includes(focused()) ? calls : ownTiles(root), by);
}

/**
 * Move the focus to the next element that can be pressed, or to the next one if none can.
 * @param {HTMLElement[]} all
 * @param {number} by
 */
function focusNext(all, by) {
  if (all.length === 0) return false;
  const wanted = all.some(isPressable) ? all.filter(isPressable) : all;
  const at = all.indexOf(focused());
  const ahead = by > 0 ? wanted : [...wanted].reverse();
  const next = at < 0 ? ahead[0] : ahead.find((node) => (all.indexOf(node) - at) * by > 0);
  return focusOn(next ?? ahead[0]);
}

/**
 * Move the focused tile along a hand that the reader arranges.
 * @param {Keyboard} keyboard
 * @param {number} by
 */
function moveFocusedTile({ root, intents }, by) {
  const tiles = ownTiles(root).filter((node) => !isDrawn(node));
  const from = tiles.indexOf(focused());
  const to = from + by;
  if (from < 0 || to < 0 || to >= tiles.length || !intents.isArranging()) return false;
  intents.arrange(from, to);
  requestAnimationFrame(() => ownTiles(root)[to]?.focus());
  return true;
}

/** @param {Keyboard} keyboard @param {KeyboardEvent} event */
function onCharacter(keyboard, { key, code }) {
  const { root, intents } = keyboard;
  const letter = key.toLowerCase();
  const place = placeOfKey(code);
  if (place >= 0) return onTile(keyboard, ownTiles(root)[place]);
  if (letter === DRAWN_LETTER) return onTile(keyboard, ownTiles(root).find(isDrawn));
  if (letter in SHEET_KEYS) return intents.open(SHEET_KEYS[letter]);
  if (letter in READ_KEYS) return intents.read(READ_KEYS[letter]);
  if (letter in AUTO_LETTERS) return intents.toggle(AUTO_LETTERS[letter]);
  return /^[a-z]$/.test(letter) && onLetter(keyboard, letter);
}

/**
 * Focus the tile with the first press, press it with the second.
 * @param {Keyboard} keyboard
 * @param {HTMLElement} [node]
 */
function onTile({ press }, node) {
  if (node === undefined || !isPressable(node)) return false;
  if (focused() !== node) return focusOn(node);
  press(node);
  return true;
}

/**
 * Press the button of a letter; if several share it, move the focus among them.
 * @param {Keyboard} keyboard
 * @param {string} letter
 */
function onLetter({ root, press }, letter) {
  const buttons = [
    .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(`button[data-letter="${letter}"]`)),
  ].filter(isPressable);
  if (buttons.length === 0) return false;
  if (buttons.length > 1) return focusOn(buttons[(buttons.indexOf(focused()) + 1) % buttons.length]);
  press(buttons[0]);
  return true;
}

/** Cancel a begun choice; else pass, unless a win is open. @param {Keyboard} keyboard */
function onEscape(keyboard) {
  if (onLetter(keyboard, "x")) return true;
  const isWinOpen = callsOf(keyboard.root).some((node) => isPressable(node) && node.dataset.letter === "t");
  return !isWinOpen && onLetter(keyboard, "n");
}

/**
 * Leave Enter to a focused button; else confirm a result and leave the hand, so that a second
 * Enter discards nothing from the next one.
 * @param {Keyboard} keyboard
 */
function onEnter(keyboard) {
  const node = focused();
  const isIdle = node === document.body || ownTiles(keyboard.root).includes(node);
  if (!isIdle || isPressable(node)) return false;
  node.blur();
  return onLetter(keyboard, "o");
}
