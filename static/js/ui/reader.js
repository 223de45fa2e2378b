/**
 * Reads parts of the table to screen readers, at the press of a key. Loaded with the first press.
 *
 * @import { ReadPart } from "../table/keys.js"
 * @import { Board } from "./board.js"
 */
import { doraText, riverText, scoresText, waitsText } from "../table/reading.js";

export { waitsText };

/** How soon the next press reads the next river, and not that of the last discard again. */
const NEXT_RIVER_MS = 5_000;

export class Reader {
  #turn = 0;
  #readAt = -NEXT_RIVER_MS;

  /** @param {Board} board @param {() => string} waits the text for them */
  constructor(board, waits) {
    this.board = board;
    this.waits = waits;
  }

  /** @param {ReadPart} part */
  read(part) {
    this.board.announcer.read(this.#text(part));
  }

  /** @param {ReadPart} part */
  #text(part) {
    const { model, say, announcer } = this.board;
    if (part === "moves") return announcer.moves.join(". ") || say.reading.noMoves;
    if (part === "waits") return this.waits() || say.reading.noWaits;
    if (model === null) return "";
    if (part === "river") return riverText(model.seats[this.#nextSeat()], say);
    return part === "dora" ? doraText(model, say) : scoresText(model, say, this.board.isWatched);
  }

  /** The seat of the last discard at first, then one seat after the other. */
  #nextSeat() {
    const seats = this.board.model?.seats ?? [];
    const isNext = performance.now() - this.#readAt < NEXT_RIVER_MS;
    const last = seats.findIndex(({ river }) => river.flat().some(({ last, recent }) => last || recent));
    this.#turn = isNext ? (this.#turn + 1) % seats.length : Math.max(last, 0);
    this.#readAt = performance.now();
    return this.#turn;
  }
}
