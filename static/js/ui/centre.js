/**
 * The centre of the table: the round with its counters, and each seat's wind, name, score and
 * riichi stick; the seat on turn is lit. While it is hovered, held or focused, it shows the
 * differences to the reader's score.
 *
 * @import { SeatModel, TurnTime } from "../table/display.js"
 * @import { Words } from "../table/names.js"
 *
 * @typedef {Omit<SeatModel, "tiles" | "drawn" | "melds" | "river">} Plate
 *
 * @typedef {object} CentreModel
 * @property {string} round
 * @property {number} left
 * @property {number} honba
 * @property {number} sticks
 * @property {Plate[]} seats
 * @property {boolean} watched whether a spectator looks on, who sees places
 */
import { forEachPlace } from "../table/display.js";
import { avatar } from "./avatar.js";
import { el, hide, isSame, setAttribute, setText } from "./dom.js";
import { Widget } from "./widget.js";

const HELD = "shows-differences";
/** Names that are wider than this number of Latin letters are smaller in small windows. */
const LONG = 11;

/** @extends {Widget<CentreModel>} */
export class CentreWidget extends Widget {
  #round = el("span", "round-name");
  #left = counter("wall");
  #honba = counter("honba");
  #sticks = counter("sticks");
  #plates = forEachPlace(plate);
  /** @type {() => number} server time */
  now = () => Date.now();

  /** @param {CentreModel} model */
  draw({ round, left, honba, sticks, seats, watched }) {
    if (this.childElementCount === 0) this.#lay();
    const { say } = this;
    setText(this.#round, round);
    this.#left.show(left, say.left);
    this.#honba.show(honba, say.honba);
    this.#sticks.show(sticks, say.sticks);
    for (const { time, ...seat } of seats) {
      this.#plates[seat.place].show({ ...seat, watched }, say);
      this.#plates[seat.place].showTime(time, this.now());
    }
  }

  #lay() {
    this.#left.node.append(el("span", "counter-word", this.say.leftWord));
    const counts = el("span", "counts", this.#honba.node, this.#sticks.node, this.#left.node);
    const plates = Object.values(this.#plates).flatMap(({ node, stick }) => [node, stick]);
    this.append(el("div", "round", this.#round, counts), ...plates);
    this.tabIndex = 0;
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", this.say.scores);
    this.title = this.say.holdToCompare;
    this.addEventListener("pointerdown", () => this.classList.add(HELD));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      this.addEventListener(end, () => this.classList.remove(HELD));
    }
    this.addEventListener("contextmenu", (event) => event.preventDefault());
  }
}

/** @param {string} name */
function counter(name) {
  const count = el("span", "");
  const node = el("span", `counter counter--${name}`, el("i", "counter-sign"), count);
  node.setAttribute("role", "img");
  let shown = NaN;
  return {
    node,
    /** @param {number} number @param {(number: number) => string} label */
    show(number, label) {
      if (number === shown) return;
      shown = number;
      setText(count, `${number}`);
      node.title = label(number);
      node.classList.toggle("is-none", number === 0);
      node.setAttribute("aria-label", label(number));
    },
  };
}

/** @param {string} place */
function plate(place) {
  const wind = el("span", "plate-wind");
  const who = el("span", "plate-who");
  const face = el("span", "plate-face");
  const level = el("span", "plate-level");
  const lost = el("i", "plate-lost");
  lost.setAttribute("role", "img");
  const away = el("span", "badge");
  const riichi = el("span", "badge plate-riichi");
  const rank = el("span", "");
  const gap = el("span", "plate-gap");
  const standing = el("span", "plate-standing", rank, gap);
  const score = el("span", "plate-score");
  const difference = el("span", "plate-difference");
  const name = el("span", "plate-name", face, lost, who, level, away, riichi);
  const points = el("span", "plate-points", score, difference, standing);
  const node = el("div", `plate plate--${place}`, wind, name, points);
  const stick = el("i", `stick stick--${place}`);
  /** @type {Omit<Plate, "time"> & {watched: boolean} | undefined} */
  let shown;
  const showTime = turnTimeBar(node);
  return {
    node,
    stick,
    showTime,
    /** @param {Omit<Plate, "time"> & {watched: boolean}} seat @param {Words} say */
    show(seat, say) {
      if (isSame(shown, seat)) return;
      if (seat.avatar !== shown?.avatar) face.replaceChildren(...[avatar(seat.avatar)].filter((part) => part !== null));
      shown = seat;
      hide(face, seat.avatar === "");
      setText(level, seat.rating > 0 ? `${seat.rating}` : say.botLevel(seat.level));
      hide(level, seat.level === "" && seat.rating === 0);
      setText(wind, say.windLetters[seat.wind]);
      wind.title = say.winds[seat.wind];
      setText(who, seat.name);
      who.title = seat.rating > 0 ? say.ratedName(seat.name, seat.rating) : say.botName(seat.name, seat.level);
      who.classList.toggle("is-long", widthOf(seat.name) > LONG);
      hide(lost, !seat.absent || seat.away || seat.left);
      setAttribute(lost, "aria-label", say.noConnection);
      lost.title = say.noConnection;
      setText(away, seat.left ? say.hasBot : say.away);
      hide(away, !seat.away && !seat.left);
      setText(riichi, say.calls.reach);
      hide(riichi, seat.riichi === "none");
      node.classList.toggle("plate--riichi", seat.riichi !== "none");
      setText(rank, say.place(seat.rank));
      setText(gap, say.delta(seat.gap));
      hide(standing, !seat.watched || seat.rank === 0);
      setText(score, say.points(seat.score));
      setText(difference, place === "bottom" ? "" : say.delta(seat.difference) || "\u00b10");
      setAttribute(difference, "data-sign", signOf(seat.difference));
      node.classList.toggle("plate--dealer", seat.dealer);
      node.classList.toggle("plate--turn", seat.onTurn);
      node.classList.toggle("plate--away", seat.away || seat.left);
      setAttribute(node, "aria-current", seat.onTurn ? "true" : null);
      hide(stick, seat.riichi !== "accepted");
    },
  };
}

/**
 * The line at the edge of a plate that shows the base time of the seat on turn; when that is over,
 * the whole line shows that the bank runs.
 * @param {HTMLElement} node
 */
function turnTimeBar(node) {
  /** @type {Animation | null} */
  let running = null;
  let shownAt = 0;
  /** @param {TurnTime | null} time @param {number} now server time */
  return (time, now) => {
    if (time?.at === shownAt) return;
    shownAt = time?.at ?? 0;
    running?.cancel();
    running = null;
    node.classList.toggle("plate--bank", false);
    if (time === null) return;
    const line = node.animate([{ scale: "1 1" }, { scale: "var(--spent)" }], {
      pseudoElement: "::after",
      duration: time.baseMs,
      delay: time.at - now,
    });
    line.onfinish = () => node.classList.add("plate--bank");
    running = line;
  };
}

/** The approximate width of a text in Latin letters; a Japanese sign counts as two. @param {string} text */
const widthOf = (text) => [...text].reduce((sum, sign) => sum + (sign > "\u2e7f" ? 2 : 1), 0);

/** @param {number} difference */
const signOf = (difference) => (difference > 0 ? "gain" : difference < 0 ? "loss" : "");
customElements.define("mj-centre", CentreWidget);
