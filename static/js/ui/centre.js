/**
 * The middle of the table: the round, the tiles left, and each seat's wind, name, score
 * and riichi stick, with a light on the seat on turn.
 *
 * @typedef {import("../table/display.js").TableModel} TableModel
 * @typedef {import("../table/display.js").SeatModel} SeatModel
 */
import { el } from "./dom.js";
import { Widget } from "./widget.js";

/**
 * @typedef {object} CentreModel
 * @property {string} round
 * @property {number} left
 * @property {{place: string, name: string, wind: string, windName: string, score: string,
 *   dealer: boolean, onTurn: boolean, away: boolean, riichi: boolean, bot: boolean}[]} seats
 */

/** @extends {Widget<CentreModel>} */
export class CentreWidget extends Widget {
  /** @type {import("../table/names.js").Words | null} */
  say = null;

  /** @param {CentreModel} model */
  draw({ round, left, seats }) {
    const count = el("span", "left-count", `${left}`);
    count.title = this.say?.left(left) ?? "";
    count.setAttribute("aria-label", count.title);
    this.replaceChildren(
      el("div", "round", el("span", "round-name", round), count),
      ...seats.map((seat) => this.plate(seat)),
    );
  }

  /** @param {CentreModel["seats"][number]} seat */
  plate(seat) {
    const wind = el("span", "plate-wind", seat.wind);
    wind.title = seat.windName;
    const plate = el(
      "div",
      `plate plate--${seat.place}`,
      wind,
      el(
        "span",
        "plate-text",
        el(
          "span",
          "plate-name",
          el("span", "plate-who", seat.name),
          seat.away ? el("span", "badge", this.say?.away ?? "") : null,
        ),
        el("span", "plate-score", seat.score),
      ),
    );
    plate.classList.toggle("plate--dealer", seat.dealer);
    plate.classList.toggle("plate--turn", seat.onTurn);
    plate.classList.toggle("plate--away", seat.away);
    if (seat.riichi) plate.append(el("span", "stick"));
    return plate;
  }
}
customElements.define("mj-centre", CentreWidget);
