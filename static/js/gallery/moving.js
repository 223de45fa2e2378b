/**
 * A table on which things happen one by one, at a press of a button: each draw, discard,
 * call, riichi and win with its motion, its sound and its word.
 */
import { display } from "../table/display.js";
import { offer } from "../table/offer.js";
import { reduce } from "../table/reduce.js";
import { Effects } from "../effects.js";
import { Board } from "../ui/board.js";
import { el } from "../ui/dom.js";
import { HAPPENINGS, TURN } from "./samples.js";

const SEAT = 0;

/**
 * @param {HTMLElement} root `data-happened` on it counts what has happened
 * @param {import("../table/names.js").Words} say
 */
export function moving(root, say) {
  root.className = "table";
  const board = new Board(root, say);
  const effects = new Effects(root, say, board);
  let view = TURN;
  let happened = 0;

  const draw = () => {
    const model = display(view, SEAT);
    const { tiles, drawn } = model.seats[0];
    const offered = offer(tiles, drawn, [], view.phase, null);
    effects.motion.around(SEAT, () =>
      board.show(model, offered, { q: 0, enabled: false, hint: "", seated: true }),
    );
    root.dataset.happened = `${happened}`;
  };
  const next = el("button", "button button--quiet turn-table", ">");
  next.type = "button";
  next.addEventListener("click", () => {
    const event = HAPPENINGS[happened % HAPPENINGS.length];
    const before = happened % HAPPENINGS.length === 0 ? TURN : view;
    view = reduce(before, event);
    happened += 1;
    effects.apply(before, view, event, SEAT);
    draw();
  });
  root.append(next);
  board.clock.show(null);
  draw();
}
