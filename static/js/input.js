/**
 * Turns pointer and keys into one of the server's legal actions. It reads what was offered
 * from the element that was pressed, so that it can only ever pass on what the server
 * listed; whether the question is still open is checked by whoever receives it.
 *
 * A mouse click on a tile discards it. A finger raises it first and discards with the
 * second tap, since tiles are narrow and fingers are not. Keys: arrows and digits move
 * along the hand, Enter or the same digit again discards; letters press the call buttons,
 * Escape goes back or passes.
 *
 * @typedef {import("./table/types.js").Action} Action
 *
 * @typedef {object} Intents
 * @property {(q: number, action: Action) => boolean} answer whether it has been sent
 * @property {(call: string | null) => void} choose a call that leaves a choice, or none
 * @property {() => number} now
 */
import { isPressable, offeredBy } from "./ui/press.js";

/** A second click this soon belongs to the first. */
const DOUBLE_MS = 250;

/** @param {HTMLElement} root @param {Intents} intents */
export function listen(root, intents) {
  let sentAt = -Infinity;
  let pointer = "mouse";

  /** @param {HTMLElement} button */
  const press = (button) => {
    if (intents.now() - sentAt < DOUBLE_MS) return;
    lower(root);
    if (!isPressable(button)) return;
    if (button.dataset.chooses !== undefined) return intents.choose(button.dataset.chooses || null);
    const offered = offeredBy(button);
    if (offered !== null && intents.answer(offered.q, offered.action)) sentAt = intents.now();
  };

  root.addEventListener("pointerdown", (event) => {
    pointer = event.pointerType;
  });
  root.addEventListener("click", (event) => {
    const button = buttonAt(event.target);
    if (button === null) return lower(root);
    const isByFinger = pointer === "touch" && event.detail > 0;
    if (isByFinger && isOwnTile(button) && !button.classList.contains("tile--raised")) {
      lower(root);
      return button.classList.add("tile--raised");
    }
    press(button);
    if (event.detail > 0 && isOwnTile(button)) button.blur();
  });
  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (onKey(root, event.key, press)) event.preventDefault();
  });
}

/** @param {EventTarget | null} target @returns {HTMLButtonElement | null} */
function buttonAt(target) {
  if (!(target instanceof Element)) return null;
  const button = /** @type {HTMLButtonElement | null} */ (target.closest("button"));
  return button !== null && isPressable(button) ? button : null;
}

/** @param {HTMLElement} node */
const isOwnTile = (node) => node.classList.contains("tile");

/** @param {HTMLElement} root */
function lower(root) {
  for (const node of root.querySelectorAll(".tile--raised")) node.classList.remove("tile--raised");
}

/**
 * @param {HTMLElement} root
 * @param {string} key
 * @param {(button: HTMLElement) => void} press
 * @returns {boolean} whether the key meant something here
 */
function onKey(root, key, press) {
  if (key === "ArrowLeft" || key === "ArrowRight") return moveFocus(root, key === "ArrowLeft" ? -1 : 1);
  if (/^[0-9]$/.test(key)) return onDigit(root, (Number(key) + 9) % 10, press);
  if (key === "Enter" || key === " ") return onEnter(root, press);
  if (key === "Escape") return onLetter(root, "x", press) || onLetter(root, "n", press);
  return /^[a-z]$/i.test(key) && onLetter(root, key.toLowerCase(), press);
}

/** @param {HTMLElement} root @returns {HTMLElement[]} */
const ownTiles = (root) => [
  .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".own button.tile")),
];

/**
 * From one tile that can be pressed to the next; while there are none, from tile to tile.
 * @param {HTMLElement} root
 * @param {number} step
 */
function moveFocus(root, step) {
  const all = ownTiles(root);
  if (all.length === 0) return false;
  const wanted = all.some(isPressable) ? all.filter(isPressable) : all;
  const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const ahead = step > 0 ? wanted : [...wanted].reverse();
  const next = at < 0 ? ahead[0] : ahead.find((node) => (all.indexOf(node) - at) * step > 0);
  (next ?? ahead[0]).focus();
  return true;
}

/** @param {HTMLElement} root @param {number} place @param {(button: HTMLElement) => void} press */
function onDigit(root, place, press) {
  const node = ownTiles(root)[place];
  if (node === undefined || !isPressable(node)) return false;
  if (document.activeElement === node) press(node);
  else node.focus();
  return true;
}

/**
 * A letter presses its button; where several share it, it moves the focus among them.
 * @param {HTMLElement} root
 * @param {string} letter
 * @param {(button: HTMLElement) => void} press
 */
function onLetter(root, letter, press) {
  const buttons = [
    .../** @type {NodeListOf<HTMLButtonElement>} */ (
      root.querySelectorAll(`button[data-letter="${letter}"]`)
    ),
  ].filter(isPressable);
  if (buttons.length === 0) return false;
  if (buttons.length === 1) press(buttons[0]);
  else {
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    buttons[(at + 1) % buttons.length].focus();
  }
  return true;
}

/**
 * Enter presses what has the focus; with nothing there to press it confirms a result, and
 * leaves the hand, so that a second Enter throws nothing out of the next one.
 * @param {HTMLElement} root
 * @param {(button: HTMLElement) => void} press
 */
function onEnter(root, press) {
  const focused = document.activeElement;
  const isIdle = focused === document.body || ownTiles(root).some((node) => node === focused);
  if (!isIdle || isPressable(/** @type {HTMLElement} */ (focused))) return false;
  /** @type {HTMLElement} */ (focused).blur();
  return onLetter(root, "o", press);
}
