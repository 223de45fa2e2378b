/**
 * Turns clicks and keys into one of the server's legal actions. It reads the action from the pressed
 * element, so it can only send what the server listed. The receiver checks that the question is
 * still open.
 *
 * The reader chooses how a tile is discarded: by one click, by two, or (`auto`) by one click of a
 * mouse and two taps of a finger. A tile can also be dragged onto the table. With the mouse, a right
 * click passes and a double click on the table discards the drawn tile (`input/mouse.js`). A tile
 * that a finger holds for a while is raised, not discarded.
 *
 * @import { Action } from "./table/types.js"
 *
 * @typedef {object} Intents
 * @property {(q: number, action: Action) => boolean} answer whether it has been sent
 * @property {(call: string | null) => void} choose a call that leaves a choice, or none
 * @property {(from: number, to: number) => void} arrange move a tile within the hand
 * @property {() => boolean} isArranging whether the reader arranges the hand
 * @property {(auto: import("./table/autos.js").Auto) => boolean} toggle
 * @property {(sheet: "settings" | "help") => boolean} open
 * @property {(part: import("./table/keys.js").ReadPart) => boolean} read to a screen reader
 * @property {() => void} redraw when a drag begins or ends
 */
import { Drag } from "./input/drag.js";
import { isOwnTile, lowerTile } from "./input/hand_tiles.js";
import { onKey } from "./input/keyboard.js";
import { listenToMouse } from "./input/mouse.js";
import { settings } from "./settings.js";
import { isPressable, answerOf } from "./ui/press.js";

/** A second click within this time belongs to the first. */
const DOUBLE_MS = 250;
/** How far the pointer may move between the two. */
const DOUBLE_PX = 12;
/** A finger that stays longer on a tile only raises it. */
const HELD_MS = 500;

/**
 * @param {HTMLElement} root
 * @param {Intents} intents
 * @returns {Drag}
 */
export function listen(root, intents) {
  let sentAt = -Infinity;
  let pointer = "mouse";
  let touchedAt = -Infinity;
  let callClick = { at: -Infinity, x: 0, y: 0 };

  /** @param {HTMLElement} button */
  const press = (button) => {
    if (performance.now() - sentAt < DOUBLE_MS) return;
    lowerTile(root);
    if (!isPressable(button)) return;
    if (button.dataset.chooses !== undefined) return intents.choose(button.dataset.chooses || null);
    const offered = answerOf(button);
    if (offered !== null && intents.answer(offered.q, offered.action)) sentAt = performance.now();
  };

  /** Whether this is the second click of a double click whose first one chose a call. @param {MouseEvent} event */
  const isSecondClick = ({ clientX, clientY, timeStamp }) =>
    timeStamp - callClick.at < DOUBLE_MS && Math.hypot(clientX - callClick.x, clientY - callClick.y) < DOUBLE_PX;

  /** @param {HTMLElement} tile @param {MouseEvent} event */
  const isToBeRaised = (tile, event) => {
    const how = settings.get("discard_by");
    const isHeld = pointer === "touch" && event.timeStamp - touchedAt > HELD_MS;
    const takesTwo = how === "double" || (how === "auto" && pointer === "touch");
    return (takesTwo || isHeld) && event.detail > 0 && !tile.classList.contains("tile--raised");
  };

  const drag = new Drag(root, intents, press);
  root.addEventListener("pointerdown", (event) => {
    pointer = event.pointerType;
    touchedAt = event.timeStamp;
  });
  listenToMouse(root, press);
  root.addEventListener("click", (event) => {
    const button = buttonAt(event.target);
    if (drag.isEndOfDrag(event) || (event.detail > 0 && isSecondClick(event))) return;
    if (button === null) return lowerTile(root);
    if (isOwnTile(button) && isToBeRaised(button, event)) {
      lowerTile(root);
      button.classList.add("tile--raised");
    } else {
      if (button.dataset.chooses !== undefined) {
        callClick = { at: event.timeStamp, x: event.clientX, y: event.clientY };
      }
      press(button);
    }
    if (event.detail > 0 && isOwnTile(button)) button.blur();
  });
  document.addEventListener("keydown", (event) => {
    if (!root.isConnected) return;
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") !== null) return;
    if (event.key === "Escape" && drag.isDragging) return drag.stop();
    if (onKey({ root, intents, press }, event)) event.preventDefault();
  });
  return drag;
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
function buttonAt(target) {
  const button = target instanceof Element ? target.closest("button") : null;
  return button !== null && isPressable(button) ? button : null;
}
