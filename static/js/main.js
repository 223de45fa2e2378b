/**
 * The table page: wires the connection, the picture of the table, the widgets and the
 * input together. The state is here and everything drawn follows from it.
 */
import { followAccount } from "./account.js";
import { Acting } from "./acting.js";
import { Hinting } from "./hinting.js";
import { Link } from "./link.js";
import { Stage } from "./stage.js";
import { Talking } from "./talking.js";
import { choices, keyOf } from "./table/choices.js";
import { display } from "./table/display.js";
import { words } from "./table/names.js";
import { panes, ranking, scoreChart } from "./table/outcome.js";
import { reduce, withFuriten } from "./table/reduce.js";
import { question, told } from "./table/spoken.js";
import { Board } from "./ui/board.js";
import { el, hide } from "./ui/dom.js";
import { OutcomePanel } from "./ui/outcome.js";

/**
 * @typedef {import("./table/types.js").View} View
 * @typedef {import("./table/types.js").Action} Action
 * @typedef {import("./table/types.js").Clock} Clock
 */

const HIDDEN_MS = 250;

class TablePage {
  /** @param {HTMLElement} root @param {import("./table/names.js").Words} say */
  constructor(root, say) {
    this.say = say;
    /** @type {View | null} */
    this.view = null;
    /** @type {number | null} */
    this.you = null;
    this.watchedSeat = 0;
    this.q = 0;
    /** @type {Action[]} */
    this.legal = [];
    /** @type {Clock | null} */
    this.clock = null;
    this.isDrawing = false;
    this.hasHelp = false;
    /** @type {import("./ui/house.js").House | null} */
    this.house = null;

    this.board = new Board(root, this.say);
    this.stage = new Stage(root, this.say, this.board);
    const { home = "/", watch = "/", game = "/" } = root.dataset;
    const again = document.getElementById("rematch")?.id ?? "";
    this.outcome = new OutcomePanel(root, this.say, { home, watch, game, again });
    this.turnTable = el("button", "button button--quiet turn-table", this.say.turnTable);
    this.turnTable.type = "button";
    this.turnTable.addEventListener("click", () => this.lookFromNextSeat());
    root.append(this.turnTable);
    this.link = new Link(root, say, this.board.status, this.listener());
    for (const widget of [this.board.clock, this.board.live, this.outcome.clock]) {
      widget.now = this.link.now;
    }
    this.acting = new Acting(root, say, {
      answer: (q, action) => this.answer(q, action),
      redraw: () => this.drawSoon(),
    });
    this.hinting = new Hinting(root, say, this.board.felt, {
      ask: (q) => this.link.study(q),
      redraw: () => this.drawSoon(),
    });
    this.talking = new Talking(root, this.acting.tools, say, (message) => this.link.socket.tell(message));
    this.root = root;
  }

  start() {
    this.link.start();
    this.drawSoon();
  }

  /** @returns {import("./link.js").Page} */
  listener() {
    return {
      sync: (frame) => {
        this.you = frame.you;
        this.hasHelp = frame.help === true;
        this.house = frame.house ?? null;
        this.view = frame.view;
        this.stage.motion.forget();
        this.asked(frame);
      },
      events: (frame) => {
        for (const event of frame.e) this.happened(event);
        if (this.view !== null && this.you !== null) {
          this.view = withFuriten(this.view, this.you, frame.furiten === true);
        }
        this.asked(frame);
      },
      study: (frame) => this.hinting.answered(frame),
      said: (frame) => this.talking.heard(frame),
      redraw: () => this.drawSoon(),
    };
  }

  /** @param {import("./table/types.js").TableEvent} event */
  happened(event) {
    if (this.view === null) return;
    const before = this.view;
    this.view = reduce(before, event);
    this.stage.happened(before, this.view, event, this.bottom);
    this.board.live.tell(told(event, this.view, this.you, this.say));
    if (event.type === "away" && event.away && event.actor === this.you) this.link.comeBack();
  }

  /** @param {{q: number, legal: Action[], clock: Clock | null}} frame */
  asked({ q, legal, clock }) {
    this.update({ q, legal, clock });
  }

  /**
   * @param {number} q
   * @param {Action} action
   * @returns {boolean} whether it has been sent
   */
  answer(q, action) {
    const isLegal = this.legal.some((one) => keyOf(one) === keyOf(action));
    return q === this.q && isLegal && this.link.answer(q, action);
  }

  lookFromNextSeat() {
    this.update({ watchedSeat: (this.watchedSeat + 1) % 4 });
  }

  /** Whether the reader has left the seat to a bot, maybe in another window. */
  get hasLeft() {
    return this.you !== null && this.house?.left[this.you] === true;
  }

  /** The seat that the table is seen from. */
  get bottom() {
    return this.you ?? this.watchedSeat;
  }

  /** @param {Partial<TablePage>} change */
  update(change) {
    Object.assign(this, change);
    this.drawSoon();
  }

  /** Draw once per frame, however much has happened; in a hidden page, which has no frames, soon. */
  drawSoon() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    const draw = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      this.isDrawing = false;
      this.draw();
    };
    const frame = requestAnimationFrame(draw);
    const timer = setTimeout(draw, HIDDEN_MS);
  }

  draw() {
    const { say, view } = this;
    const isPlaying = this.you !== null && !this.hasLeft && view !== null && view.phase !== "ended";
    this.link.draw(isPlaying);
    if (view === null) return;
    this.link.house.show(view.phase === "ended" ? null : this.house, this.you, view.names);
    const seated = this.you !== null;
    const model = display(view, this.bottom);
    const { tiles, drawn } = model.seats[0];
    const { q } = this;
    const legal = this.hasLeft ? [] : this.legal;
    const enabled = legal.length > 0 && this.link.isOpen(q) && this.house?.paused !== true;
    const asked = this.acting.ask({ view, seated, tiles, drawn, legal, q, enabled });
    const isMine = enabled && !asked.isAutomatic;
    this.root.classList.toggle("is-watching", !seated);
    hide(this.turnTable, seated);
    const { chosen } = this.acting;
    this.hinting.show({ view, you: this.hasHelp ? this.you : null, q, legal, chosen });
    const { barred } = this.hinting;
    this.stage.motion.around(this.bottom, () =>
      this.board.show(model, asked.offer, { q, enabled, hint: asked.hint, seated, barred }),
    );
    const clock = view.phase === "result" || !isMine ? null : this.clock;
    this.board.clock.show(clock);
    this.drawOutcome(view, legal, enabled);
    this.link.mark();
    this.board.live.show();
    this.board.live.ask(q, isMine ? question(view, legal, say) : "", this.clock);
    this.stage.asks(isMine ? { q, phase: view.phase } : null);
  }

  /** @param {View} view @param {Action[]} legal @param {boolean} enabled */
  drawOutcome(view, legal, enabled) {
    const isOver = view.phase === "result" || view.phase === "ended";
    const { confirm } = choices(legal);
    if (!isOver) return this.outcome.show(null, null);
    this.outcome.show(
      {
        panes: panes(view),
        ranking: view.phase === "ended" ? ranking(view) : [],
        chart: view.phase === "ended" ? scoreChart(view) : null,
        you: this.you,
        confirm,
        waiting: view.phase === "result" && this.you !== null && !this.hasLeft && !(confirm && enabled),
        enabled,
        q: this.q,
      },
      this.clock,
    );
  }
}

const root = document.getElementById("table");
if (root !== null) {
  followAccount(root);
  new TablePage(root, await words(document.documentElement.lang)).start();
}
