/**
 * The bar of controls under the board: steps, autoplay with its speed, the seat, open hands, the
 * sheets of settings and keys, the review, and the drawer of narrow windows.
 *
 * @import { Words } from "../table/names.js"
 *
 * @typedef {"first" | "handBack" | "turnBack" | "eventBack" | "play" | "event" | "turn" | "hand" |
 *   "last" | "seat" | "open" | "settings" | "help" | "review" | "drawer"} Command
 */
import { button, el, setAttribute, svg } from "../ui/dom.js";
import { isTouch } from "../ui/touch.js";

/** Paths in a square of 24; those of the buttons back are mirrored. Steps are open angles, autoplay is a triangle. */
const ICONS = {
  event: "M9 4l8 8-8 8-1.800-1.800 6.200-6.200-6.200-6.200z",
  turn: "M9 2l8 8-8 8-1.800-1.800 6.200-6.200-6.200-6.200zM6 20h13v2H6z",
  hand: "M5 4l8 8-8 8-1.800-1.800 6.200-6.200-6.200-6.200zM13 4l8 8-8 8-1.800-1.800 6.200-6.200-6.200-6.200z",
  last: "M7 4l8 8-8 8-1.800-1.800 6.200-6.200-6.200-6.200zM17 4h2.600v16h-2.600z",
  play: "M8 5l11 7-11 7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  seat: "M12 3a9 9 0 0 1 8.5 6h-2.6A6.6 6.6 0 1 0 18.3 14h2.5A9 9 0 1 1 12 3zM16 9l6 1.5V4z",
  open: "M12 5c5 0 8.500 4 10 7-1.500 3-5 7-10 7S3.500 15 2 12c1.500-3 5-7 10-7zm0 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zm0 2a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5z",
  settings: "M3 6h9v2H3zM12 4h3v6h-3zM15 6h6v2h-6zM3 16h3v2H3zM6 14h3v6H6zM9 16h12v2H9z",
  help: "M12 3a5 5 0 0 1 5 5c0 3.500-3.700 3.800-3.700 7h-2.600c0-4.500 3.700-5 3.700-7a2.400 2.400 0 0 0-4.800 0H7a5 5 0 0 1 5-5zM10.700 17h2.600v2.800h-2.600z",
  review: "M3 4h2v14h16v2H3zM7 11h3v5H7zM12 6h3v10h-3zM17 9h3v7h-3z",
  drawer: "M4 5h16v3H4zM4 11h16v3H4zM4 17h16v3H4z",
};
/** @type {Partial<Record<Command, keyof typeof ICONS>>} */
const BACK = { first: "last", handBack: "hand", turnBack: "turn", eventBack: "event" };
/** @type {readonly Command[]} */
const STEPS = ["first", "handBack", "turnBack", "eventBack", "play", "event", "turn", "hand", "last"];
/** @type {readonly Command[]} */
const OTHERS = ["seat", "open", "settings", "help", "review", "drawer"];

/** How many times as fast as usual. */
export const SPEEDS = [0.5, 1, 2, 4];

/** @param {keyof typeof ICONS} name */
const icon = (name) => svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

export class Bar {
  /** @type {Partial<Record<Command, HTMLButtonElement>>} */
  #buttons = {};
  #speed = el("select", "replay-speed");

  /**
   * @param {HTMLElement} root
   * @param {Words} say
   * @param {(command: Command) => void} press
   * @param {boolean} hasReview
   */
  constructor(root, say, press, hasReview) {
    this.say = say;
    const makeButton = (/** @type {Command} */ command) => this.#make(command, press);
    this.#speed.setAttribute("aria-label", say.replay.speed);
    this.#speed.title = say.replay.speed;
    this.#speed.append(
      ...SPEEDS.map((speed) => {
        const option = el("option", "", say.times(speed));
        option.value = `${speed}`;
        return option;
      }),
    );
    this.#speed.value = "1";
    const others = OTHERS.filter((command) => hasReview || command !== "review");
    this.node = el(
      "div",
      "replay-bar",
      el("div", "replay-steps", ...STEPS.map(makeButton)),
      el("div", "replay-others", this.#speed, ...others.map(makeButton)),
    );
    this.node.setAttribute("role", "toolbar");
    this.node.setAttribute("aria-label", say.replay.controls);
    // A click leaves the focus where it is, so that the space bar still starts and stops autoplay.
    this.node.addEventListener("pointerdown", (event) => {
      if (event.target !== this.#speed) event.preventDefault();
    });
    root.append(this.node);
  }

  /** How many times as fast as usual autoplay is. */
  get speed() {
    return Number(this.#speed.value);
  }

  get drawer() {
    return /** @type {HTMLButtonElement} */ (this.#buttons.drawer);
  }

  /** @param {{playing: boolean, open: boolean, isFirst: boolean, isLast: boolean}} now */
  show({ playing, open, isFirst, isLast }) {
    const { play, open: opener } = this.#buttons;
    if (play !== undefined && play.getAttribute("aria-pressed") !== `${playing}`) {
      setAttribute(play, "aria-pressed", `${playing}`);
      play.replaceChildren(icon(playing ? "pause" : "play"));
    }
    if (opener !== undefined) setAttribute(opener, "aria-pressed", `${open}`);
    for (const command of STEPS) {
      const node = this.#buttons[command];
      const isBack = command in BACK;
      const isAtEnd = command !== "play" && (isBack ? isFirst : isLast);
      if (node !== undefined) setAttribute(node, "aria-disabled", isAtEnd ? "true" : null);
    }
  }

  /** @param {Command} command @param {(command: Command) => void} press */
  #make(command, press) {
    const node = stepButton(command, this.say, () => press(command));
    this.#buttons[command] = node;
    return node;
  }
}

/** Every button of the bar. */
export const COMMANDS = [...STEPS, ...OTHERS];

/** The sign of a button, for the help sheet. @param {Command} command */
export function signOf(command) {
  const back = BACK[command];
  const shape = back ?? /** @type {keyof typeof ICONS} */ (command);
  return el("span", `replay-button${back ? " is-back" : ""}`, icon(shape));
}

/** @param {Command} command @param {Words} say @param {() => void} press */
export function stepButton(command, say, press) {
  const back = BACK[command];
  const shape = back ?? /** @type {keyof typeof ICONS} */ (command);
  const node = button(`replay-button${back ? " is-back" : ""}`, press, icon(shape));
  node.dataset.command = command;
  const name = command === "help" && isTouch() ? say.touchHelpTitle : say.replay.commands[command];
  node.setAttribute("aria-label", name);
  const key = say.replay.keys[command];
  node.title = key ? `${name} (${key})` : name;
  return node;
}
