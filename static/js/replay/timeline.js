/**
 * The timeline of a game: hands side by side, a row for each seat with its riichi, calls, kans, norths, wins
 * and deal-ins, and a slider below. A click jumps there.
 *
 * @import { Words } from "../table/names.js"
 * @import { Mark, Script } from "./steps.js"
 * @typedef {Mark["kind"] | "difference"} Kind
 */
import { el, setAttribute, setText, svg } from "../ui/dom.js";

const WIDTH = 1000;
const ROW = 8;
/** A click this near to a mark means the mark. */
const NEAR = 7;
/** Shapes around the middle of a row; they differ without colours. @type {Record<Kind, string>} */
const SHAPES = {
  riichi: "M-1.500-3.500h3v7h-3z",
  call: "M-1.500-1.500h3v3h-3z",
  kan: "M-3-3h6v6h-6z",
  north: "M0-2.500l2.500 2.500-2.500 2.500-2.500-2.500z",
  win: "M0-4l4 7h-8z",
  deal_in: "M0 4l4-7h-8z",
  draw: "M-1-16h2v32h-2z",
  difference: "M-1.500-16h3v32h-3z",
};

/** @type {readonly Kind[]} */
const KINDS = ["riichi", "call", "kan", "north", "win", "deal_in", "draw", "difference"];

/**
 * What the marks of this game mean.
 * @param {Script} script
 * @param {Words} say
 */
export function markKey({ marks, differences, names }, say) {
  const kinds = new Set([...marks.map(({ kind }) => kind), ...differences.map(() => "difference")]);
  const rows = KINDS.filter((kind) => kinds.has(kind)).map((kind) => {
    const shape = svg("path", { class: `timeline-mark timeline-mark--${kind}`, d: SHAPES[kind] });
    const picture = svg("svg", { viewBox: "-5 -5 10 10", "aria-hidden": "true" }, shape);
    return el("li", "", picture, kind === "call" && names.length === 3 ? say.calls.pon : say.replay.marks[kind]);
  });
  return el("ul", "timeline-key", ...rows);
}

export class Timeline {
  #slider = el("input", "replay-slider");
  /** Above the chart and as wide: it moves without a new layout. */
  #now = el("div", "timeline-position");
  #where = el("output", "replay-where");

  /**
   * @param {HTMLElement} root
   * @param {Words} say
   * @param {Script} script
   * @param {(at: number) => void} goTo
   */
  constructor(root, say, script, goTo) {
    this.say = say;
    this.script = script;
    this.first = script.hands[0].at;
    this.height = script.names.length * ROW;
    this.last = script.events.length - 1;
    const marks = [
      ...script.marks,
      ...script.differences.map(({ at }) => ({ at, kind: /** @type {const} */ ("difference"), actor: -1 })),
    ];
    const chart = svg("svg", {
      class: "timeline",
      viewBox: `0 0 ${WIDTH} ${this.height}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    chart.append(
      ...script.hands.map(({ at }, hand) =>
        svg("rect", {
          class: "timeline-hand",
          x: this.#x(at),
          width: this.#x((script.hands[hand + 1]?.at ?? this.last) - 0) - this.#x(at) - 1,
          y: 0,
          height: this.height,
        }),
      ),
      ...marks.map((mark) => this.#mark(mark)),
    );
    chart.addEventListener("click", (event) => goTo(this.#at(chart, event.clientX, marks)));
    this.#slider.type = "range";
    this.#slider.min = `${this.first}`;
    this.#slider.max = `${this.last}`;
    this.#slider.setAttribute("aria-label", say.replay.position);
    this.#slider.addEventListener("input", () => goTo(Number(this.#slider.value)));
    const slide = el("div", "replay-slide", this.#slider, this.#where);
    root.append(el("div", "replay-timeline", el("div", "timeline-chart", chart, this.#now), slide));
  }

  /** @param {number} at @param {number} hand @param {number} step */
  show(at, hand, step) {
    this.#slider.value = `${at}`;
    const { bakaze, kyoku, honba } = this.script.hands[hand];
    const { say } = this;
    const round = say.handName(bakaze, kyoku, honba);
    const text = say.replay.where.replace("{hand}", round).replace("{step}", `${step}`);
    setAttribute(this.#slider, "aria-valuetext", text);
    setText(this.#where, text);
    this.#now.style.translate = `${(100 * this.#x(at)) / WIDTH}%`;
  }

  /** @param {number} at */
  #x(at) {
    return ((at - this.first) / Math.max(this.last - this.first, 1)) * WIDTH;
  }

  /** @param {{at: number, kind: Kind, actor: number}} mark */
  #mark({ at, kind, actor }) {
    const y = actor < 0 ? this.height / 2 : (actor + 0.5) * ROW;
    return svg("path", {
      class: `timeline-mark timeline-mark--${kind}`,
      d: SHAPES[kind],
      transform: `translate(${this.#x(at)} ${y})`,
    });
  }

  /** @param {Element} chart @param {number} x @param {{at: number}[]} marks */
  #at(chart, x, marks) {
    const box = chart.getBoundingClientRect();
    const span = this.last - this.first;
    const at = this.first + Math.round(((x - box.left) / box.width) * span);
    const near = (NEAR / box.width) * span;
    const distances = marks.map((mark) => Math.abs(mark.at - at));
    const nearest = Math.min(...distances);
    return nearest <= near ? marks[distances.indexOf(nearest)].at : at;
  }
}
