/**
 * A table that plays one event at each press of a button, with its motion, sound and callout.
 */
import { display } from "../table/display.js";
import { offer } from "../table/offer.js";
import { reduce } from "../table/reduce.js";
import { Effects } from "../effects.js";
import { Board } from "../ui/board.js";
import { button } from "../ui/dom.js";
import { WinMoment } from "../ui/win_moment.js";
import { MOVING } from "./positions.js";

const SEAT = 0;
const { view: BEGUN, events: EVENTS } = MOVING;

/**
 * @param {HTMLElement} root `data-events` on it counts the events shown
 * @param {import("../table/names.js").Words} say
 */
export function moving(root, say) {
  root.className = "table";
  const board = new Board(root, say);
  const effects = new Effects(root, say, board);
  effects.winMoment = new WinMoment(root, say);
  let view = BEGUN;
  let played = 0;

  const draw = () => {
    const model = display(view, SEAT);
    const { tiles, drawn } = model.seats[0];
    const offered = offer(tiles, drawn, [], view.phase, null);
    effects.motion.drawWithMotion(() => board.show(model, offered, { q: 0, enabled: false, hint: "", seated: true }));
    root.dataset.events = `${played}`;
  };
  const play = () => {
    const event = EVENTS[played % EVENTS.length];
    const before = played % EVENTS.length === 0 ? BEGUN : view;
    view = reduce(before, event);
    played += 1;
    effects.apply(before, view, event, SEAT);
    draw();
  };
  root.append(button("button button--quiet turn-table", play, ">"));
  board.clock.show(null);
  draw();
}
