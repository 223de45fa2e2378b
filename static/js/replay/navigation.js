/**
 * Keys, mouse wheel and swipes that step through a replay.
 *
 * @import { Command } from "./bar.js"
 */
import { settings } from "../settings.js";
import { READ_KEYS } from "../table/keys.js";
import { keyTarget } from "../ui/dom.js";

/** @type {Record<string, Command>} */
const KEYS = {
  ArrowLeft: "eventBack",
  ArrowRight: "event",
  ArrowUp: "turnBack",
  ArrowDown: "turn",
  PageUp: "handBack",
  PageDown: "hand",
  Home: "first",
  End: "last",
  " ": "play",
};
/** Keys with a sign on them, which a reader may have switched off. @type {Record<string, Command>} */
const SIGNS = { ",": "settings", "?": "help" };
/** These also scroll a panel. */
const SCROLLING = new Set(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "]);
/** A notch of a mouse wheel is about 100 px; a touchpad sends less at once. */
const WHEEL_PX = 60;
const SWIPE_PX = 36;

/**
 * @param {HTMLElement} stage takes the wheel and swipes
 * @param {(command: Command) => void} press
 * @param {(part: import("../table/keys.js").ReadPart) => void} read
 */
export function listen(stage, press, read) {
  document.addEventListener("keydown", (event) => {
    const hasLetters = settings.get("letter_keys");
    const sign = hasLetters ? SIGNS[event.key] : undefined;
    const command = sign ?? KEYS[event.key];
    const part = hasLetters ? READ_KEYS[event.key] : undefined;
    if ((command ?? part) === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.shiftKey && sign === undefined) return; // some keyboards have a sign with Shift
    if (document.querySelector("dialog[open]") !== null) return;
    const target = keyTarget(event);
    if (target.closest("input, select, textarea, dialog, [contenteditable]")) return;
    if (SCROLLING.has(event.key) && target.closest(".replay-panel")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    event.preventDefault();
    if (command !== undefined) press(command);
    else if (part !== undefined) read(part);
  });
  followWheel(stage, press);
  followSwipes(stage, press);
}

/** @param {HTMLElement} stage @param {(command: "event" | "eventBack") => void} press */
export function followWheel(stage, press) {
  let way = 0;
  stage.addEventListener(
    "wheel",
    (event) => {
      const { target, ctrlKey, deltaY, deltaMode } = event;
      if (ctrlKey) return; // zooms the page
      if (target instanceof Element && target.closest("dialog, .chat") !== null) return;
      const body = target instanceof Element ? target.closest(".outcome-body") : null;
      if (body !== null && body.scrollHeight > body.clientHeight) return;
      event.preventDefault();
      const distance = deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : deltaY * WHEEL_PX;
      way = Math.sign(way) === Math.sign(distance) ? way + distance : distance;
      if (Math.abs(way) < WHEEL_PX) return;
      press(way > 0 ? "event" : "eventBack");
      way = 0;
    },
    { passive: false },
  );
}

/**
 * A swipe to the left steps forward, as one turns a page.
 *
 * @param {HTMLElement} stage
 * @param {(command: "event" | "eventBack") => void} press
 */
export function followSwipes(stage, press) {
  /** @type {{id: number, x: number} | null} */
  let held = null;
  stage.addEventListener("pointerdown", (event) => {
    const isElsewhere = event.target instanceof Element && event.target.closest("dialog, .chat") !== null;
    if (event.pointerType !== "mouse" && event.isPrimary && !isElsewhere)
      held = { id: event.pointerId, x: event.clientX };
  });
  stage.addEventListener("pointermove", (event) => {
    if (held === null || event.pointerId !== held.id) return;
    const moved = event.clientX - held.x;
    if (Math.abs(moved) < SWIPE_PX) return;
    held.x = event.clientX;
    press(moved < 0 ? "event" : "eventBack");
  });
  for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, () => (held = null));
}
