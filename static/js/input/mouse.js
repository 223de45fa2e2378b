/**
 * Two short cuts of the mouse: a right click passes, and a double click on the table discards the
 * drawn tile. Neither acts while a win is offered. Both act only on what was offered at the first
 * press, so that they never answer a question that came later. The reader can switch them off.
 */
import { settings } from "../settings.js";
import { isPressable, answerOf } from "../ui/press.js";
import { callsOf, isDrawn, ownTiles } from "./hand_tiles.js";

const RIGHT = 2;
/** Elements with a useful menu of the browser. */
const WITH_MENU = "a, input, select, textarea, dialog, .chat, .outcome";
/** Elements that handle clicks themselves. */
const PRESSED = `button, label, .own, ${WITH_MENU}`;

/**
 * @param {HTMLElement} root
 * @param {(node: HTMLElement) => void} press
 */
export function listenToMouse(root, press) {
  /** What was offered at the right button's press. */
  let offeredPass = "";
  /** What was offered at the first press of a double click. */
  let offeredDiscard = "";
  let isMouse = false;

  root.addEventListener("pointerdown", (event) => {
    isMouse = event.pointerType === "mouse";
    offeredPass = isMouse && event.button === RIGHT ? meaningOf(passOf(root)) : "";
  });
  root.addEventListener("mousedown", (event) => {
    if (event.detail === 1) offeredDiscard = isMouse && event.button === 0 ? meaningOf(drawnOf(root)) : "";
  });

  root.addEventListener("contextmenu", (event) => {
    const node = passOf(root);
    if (node === null || !isMouse || !settings.get("right_click_passes")) return;
    if (isIn(event, WITH_MENU)) return;
    event.preventDefault();
    if (offeredPass !== "" && offeredPass === meaningOf(node) && !isWinOffered(root)) press(node);
    offeredPass = "";
  });

  root.addEventListener("dblclick", (event) => {
    const node = drawnOf(root);
    if (node === null || !isMouse || !settings.get("double_click_discards")) return;
    if (isIn(event, PRESSED) || isWinOffered(root)) return;
    if (offeredDiscard !== "" && offeredDiscard === meaningOf(node)) press(node);
    offeredDiscard = "";
  });
}

/** @param {MouseEvent} event @param {string} places selectors */
const isIn = ({ target }, places) => target instanceof Element && target.closest(places) !== null;

/** The question and the action that a press answers; empty for none. @param {HTMLElement | null} node */
const meaningOf = (node) => (node === null ? "" : JSON.stringify(answerOf(node)));

/** @param {HTMLElement} root @returns {HTMLElement | null} the button that passes */
const passOf = (root) => callsOf(root).find((node) => isPressable(node) && node.matches(".call--none")) ?? null;

/** @param {HTMLElement} root @returns {HTMLElement | null} the drawn tile, if a press discards it */
function drawnOf(root) {
  const drawn = ownTiles(root).find((node) => isDrawn(node) && isPressable(node));
  return drawn !== undefined && answerOf(drawn)?.action.type === "dahai" ? drawn : null;
}

/** @param {HTMLElement} root */
const isWinOffered = (root) =>
  callsOf(root).some((node) => isPressable(node) && answerOf(node)?.action.type === "hora");
