/**
 * The elements of the whole table: makes them once and gives each its part of the model.
 *
 * @import { Barred } from "../help.js"
 * @import { Place, SeatModel, TableModel } from "../table/display.js"
 * @import { Words } from "../table/names.js"
 * @import { Offer } from "../table/offer.js"
 * @typedef {Offer["tiles"][number] & {note?: string}} HandTile
 */
import { forEachPlace, riichiPlace } from "../table/display.js";
import { HIDDEN, kindOf } from "../table/tiles.js";
import { avatar } from "./avatar.js";
import { CentreWidget } from "./centre.js";
import { ClockWidget } from "./clock.js";
import { el, hide } from "./dom.js";
import { HandWidget } from "./hand.js";
import { kanji } from "./kanji.js";
import { InfoWidget } from "./info.js";
import { Announcer } from "./announcer.js";
import { MeldsWidget } from "./seat_melds.js";
import { PromptWidget } from "./prompt.js";
import { RiverWidget } from "./river.js";
import { SameTiles } from "./same_tiles.js";
import { StatusWidget } from "./status.js";

const CALLOUT_MS = 1_400;
const SPEECH_MS = 6_000;

export class Board {
  #rowsOfRiver = -1;
  /** What is shown. @type {TableModel | null} */
  model = null;

  /** @param {HTMLElement} root @param {Words} say */
  constructor(root, say) {
    this.root = root;
    this.say = say;
    this.centre = new CentreWidget(say);
    this.info = new InfoWidget(say);
    this.prompt = new PromptWidget(say);
    this.clock = new ClockWidget();
    this.status = new StatusWidget(say);
    this.furiten = el("span", "furiten", say.furiten);
    this.sides = forEachPlace((place) => side(place, say));
    const sides = Object.values(this.sides).map(({ node }) => node);
    this.felt = el("div", "board", ...sides, this.centre, this.info);
    this.own = this.sides.bottom.rack;
    const actions = el("div", "action-area", el("div", "own-state", this.furiten, this.clock), this.prompt);
    this.clock.hidden = true;
    this.furiten.hidden = true;
    /** Above the felt: the connection, notices, and votes of the players. */
    this.notices = el("div", "notices", this.status);
    root.append(this.felt, actions, this.own, this.notices);
    this.announcer = new Announcer(root, say);
    // A press ends what is called over the table, beside what else it does.
    for (const press of ["pointerdown", "keydown"])
      addEventListener(press, () => this.#endCallouts(), { capture: true });
    this.sameTiles = new SameTiles(root);
  }

  /** Whether a spectator looks on, who sees places. */
  get isWatched() {
    return this.root.classList.contains("is-watching");
  }

  /**
   * @param {TableModel} model
   * @param {Offer} offer
   * @param {{q: number, enabled: boolean, hint: string, seated: boolean, hasHelp?: boolean, barred?: Barred[],
   *   waiting?: string}} now `hasHelp`: whether the dora is shown beside its indicator; `waiting`:
   *   what the table waits for before its first hand
   */
  show(model, offer, { q, enabled, hint, seated, hasHelp = false, barred = [], waiting = "" }) {
    const { say } = this;
    this.model = model;
    this.root.classList.toggle("has-three", model.seats.length === 3);
    for (const seat of model.seats) {
      const { rack, hand, melds, river } = this.sides[seat.place];
      const isOwn = seat.place === "bottom";
      const dealt = isOwn ? this.#withNotes(offer.tiles, barred) : closedTiles(seat);
      const tiles = withDora(dealt, model.doraKinds);
      // A hand without an action does not change with the question.
      const isAsked = isOwn && tiles.some(({ action }) => action !== null);
      const own = isOwn && seated;
      const name = own ? say.yourHand : say.handOf(seat);
      hand.show({ name, tiles, own, enabled: isAsked && enabled, q: isAsked ? q : -1 });
      rack.classList.toggle("is-on-turn", seat.onTurn);
      const { doraKinds } = model;
      melds.show({
        name: say.meldsOf(seat),
        melds: seat.melds,
        doraKinds,
        norths: seat.norths,
        robbing: seat.robbing,
      });
      river.show({ rows: seat.river, name: say.riverOf(seat, riichiPlace(seat.river)) });
    }
    this.felt.classList.toggle("is-waiting", waiting !== "");
    // A closed hand of somebody else needs no more room than the other racks.
    const isClosed = !seated && model.seats[0].tiles.every((pai) => pai === HIDDEN);
    this.root.classList.toggle("has-closed-hand", isClosed);
    this.centre.show({
      round: waiting || say.round(model.wind, model.kyoku),
      left: model.left,
      honba: model.honba,
      sticks: model.sticks,
      seats: model.seats.map(({ tiles, drawn, melds, river, ...plate }) => plate),
      watched: this.isWatched,
    });
    this.info.show({ dora: model.dora, doraKinds: model.doraKinds, hasHelp });
    this.prompt.show({ buttons: offer.buttons, q, enabled, hint, choosingTiles: offer.choosingTiles });
    this.#makeRoom(model.seats[0].river.filter((row) => row.length > 0).length);
    hide(this.furiten, !(seated && model.seats[0].furiten));
    this.sameTiles.draw();
  }

  /** The side at which a seat is shown. @param {number} seat @returns {Place} */
  placeOf(seat) {
    return this.model?.seats.find((shown) => shown.seat === seat)?.place ?? "bottom";
  }

  /**
   * Make room for a fourth row of the reader's own river, or use the room of a third row that it lacks.
   *
   * @param {number} rows
   */
  #makeRoom(rows) {
    if (rows === this.#rowsOfRiver) return;
    this.#rowsOfRiver = rows;
    this.root.classList.toggle("has-long-river", rows > 3);
    this.root.classList.toggle("has-short-river", rows < 3);
  }

  /**
   * Add to tiles why they may not be discarded.
   * @param {Offer["tiles"]} tiles
   * @param {Barred[]} barred
   */
  #withNotes(tiles, barred) {
    if (barred.length === 0) return tiles;
    const { say } = this;
    return tiles.map((tile) => {
      const found = tile.action === null && barred.find(({ pai }) => pai === tile.pai);
      return found ? { ...tile, note: `${say.barred}: ${say.barredReasons[found.why]}` } : tile;
    });
  }

  /**
   * Show a call over the table, at its seat.
   * @param {Place} place
   * @param {string} call
   * @param {"call" | "riichi" | "win"} weight
   */
  callOut(place, call, weight) {
    const word = el("span", "callout-word", this.say.calls[call]);
    const bubble = el("div", `callout callout--${place} callout--${weight}`, kanji(call), word);
    bubble.setAttribute("aria-hidden", "true");
    this.felt.append(bubble);
    setTimeout(() => bubble.remove(), CALLOUT_MS);
  }

  /** End riichi and wins that are called out. */
  #endCallouts() {
    for (const bubble of this.felt.querySelectorAll(".callout--riichi, .callout--win")) bubble.remove();
  }

  /**
   * Show for some seconds what the player at a seat has said. Screen readers read the chat's log.
   * @param {Place} place
   * @param {Node} words
   * @param {string} [shown] the player's avatar
   */
  speak(place, words, shown) {
    this.felt.querySelector(`.speech--${place}`)?.remove();
    const bubble = el("div", `speech speech--${place}`, avatar(shown), words);
    bubble.setAttribute("aria-hidden", "true");
    this.felt.append(bubble);
    setTimeout(() => bubble.remove(), SPEECH_MS);
  }
}

/** @param {Place} place @param {Words} say */
function side(place, say) {
  const hand = new HandWidget(say);
  const melds = new MeldsWidget(say);
  const river = new RiverWidget(say);
  const isOwn = place === "bottom";
  const rack = el("div", isOwn ? "own" : "rack", hand, melds);
  const node = el("div", `side side--${place}`, river, isOwn ? null : rack);
  return { node, rack, hand, melds, river };
}

/** @param {SeatModel} seat @returns {HandTile[]} */
function closedTiles({ tiles, drawn }) {
  const shown = tiles.map((pai, at) => ({ key: `${at}${pai}`, pai, drawn: false }));
  if (drawn !== null) shown.push({ key: `drawn${drawn}`, pai: drawn, drawn: true });
  return shown.map((tile) => ({ ...tile, action: null, dim: false }));
}

/** @param {HandTile[]} tiles @param {readonly string[]} kinds */
const withDora = (tiles, kinds) => tiles.map((tile) => ({ ...tile, dora: kinds.includes(kindOf(tile.pai)) }));
