/**
 * The gallery: samples of everything that a table can show, without a server. With `?scene=` it shows
 * one whole table instead, as the table page would; the event `show-scene` replaces it by another.
 */
import { Controls } from "../controls.js";
import { Help } from "../help.js";
import { actionKey } from "../table/choices.js";
import { display, riverRows } from "../table/display.js";
import { meldTiles } from "../table/melds.js";
import { words } from "../table/names.js";
import { offer } from "../table/offer.js";
import { panes, ranking, scoreChart } from "../table/outcome.js";
import { fullLegal } from "../table/short_forms.js";
import { FACES, HIDDEN } from "../table/tiles.js";
import { settings } from "../settings.js";
import { followAppearance } from "../ui/appearance.js";
import { Board } from "../ui/board.js";
import { Chat } from "../ui/chat.js";
import { el, link } from "../ui/dom.js";
import { loadKanji } from "../ui/kanji.js";
import { meld } from "../ui/seat_melds.js";
import { OutcomePanel } from "../ui/outcome_panel.js";
import { Reader, waitsText } from "../ui/reader.js";
import { PromptWidget } from "../ui/prompt.js";
import { RankingWidget } from "../ui/ranking.js";
import { RequestsPanel } from "../ui/requests.js";
import { ResultWidget } from "../ui/result.js";
import { RiverWidget } from "../ui/river.js";
import { changeSprite, followSprite, sprites, tile } from "../ui/tile.js";
import { WallPanel } from "../ui/wall.js";
import { WinMoment } from "../ui/win_moment.js";
import { moving } from "./moving.js";
import { CHAT_LINES } from "./chat_lines.js";
import * as positions from "./positions.js";

/**
 * @import { Action, View } from "../table/types.js"
 */

const say = await words();
await loadKanji();

/**
 * How a position is shown.
 * @typedef {{chosen?: string, isLost?: boolean, absent?: boolean[], isPaused?: boolean, votes?: string[],
 *   page?: number}} Staging
 */

/** @type {Record<string, import("./positions.js").Position>} */
const POSITIONS = { ...positions.ASKED, ...positions.RESULTS, ...positions.THREE, ...positions.WATCHED };
/** Positions that are shown in another way. @type {Record<string, Staging & {of: string}>} */
const STAGED = {
  riichi: { of: "riichi", chosen: "reach" },
  ways: { of: "claims", chosen: "chi" },
  lost: { of: "claims", isLost: true, absent: [false, true, true, true] },
  votes: { of: "crowded", votes: ["", "end", "", ""] },
  two_votes: { of: "crowded", votes: ["", "end", "pause", ""], isPaused: false },
  votes_ron: { of: "ron", votes: ["", "end", "", ""] },
  end: { of: "end", page: Infinity },
};

/**
 * Show one table. The actions that would be sent are listed in `data-pressed` of the root. Each
 * answer opens a new question, unless `data-answers` of the root is `pending`.
 * @param {HTMLElement} root
 * @param {string} name
 */
function scene(root, name) {
  const staged = STAGED[name] ?? { of: name };
  const { chosen: first = null, isLost = false, absent, votes, isPaused = true, page = 0 } = staged;
  const position = POSITIONS[staged.of] ?? POSITIONS.turn;
  const { view, you } = position;
  const legal = fullLegal(position.legal, view, you);
  // Votes are shown as to a reader who wants no help.
  const study = votes === undefined ? position.study : undefined;
  root.className = you === null ? "table is-watching" : "table";
  followAppearance(root, settings);
  const board = new Board(root, say);
  const rematchForm = you === null ? "" : "again";
  const outcome = new OutcomePanel(root, say, { home: "?", watch: "?", game: "?", review: "?", rematchForm });
  const asked = Date.now();
  const model = display(view, you ?? 0, absent, { at: asked, baseMs: 5000 });
  const clock = { asked_at: asked, base_ms: 5000, bank_ms: 20000, deadline: asked + 25000 };
  const isOver = view.phase === "result" || view.phase === "ended";
  let q = 1;
  let enabled = votes === undefined || !isPaused;
  const seated = you !== null;
  const help = new Help(root, say, board.felt, {
    requestStudy: (asked) => {
      if (study !== undefined) queueMicrotask(() => help.receive({ ...study, q: asked }));
    },
    redraw: () => draw(),
  });

  const draw = () => {
    const { tiles, drawn } = model.seats[0];
    const now = controls.update({ view, seated, tiles, drawn, legal, q, enabled });
    if (study !== undefined) help.show({ view, you, q, legal, chosen: controls.chosen });
    const { barred, isOn: hasHelp } = help;
    board.show(model, now.offer, { q, enabled, hint: now.hint, seated, hasHelp, barred });
    if (!isOver) return;
    outcome.show({ ...ending(view, you, legal), q }, clock);
    if (page > 0) outcome.showPage(page);
  };
  const controls = new Controls(root, say, {
    answer: (answered, action) => {
      if (answered !== q || !enabled) return false;
      root.dataset.pressed = `${root.dataset.pressed ?? ""}${actionKey(action)};`;
      enabled = root.dataset.answers !== "pending";
      if (enabled) q += 1;
      draw();
      return true;
    },
    redraw: () => draw(),
    read: (part) => reader.read(part),
  });
  const reader = new Reader(board, () => waitsText(help.lines, say));
  const leave = link("leave", "?", "\u2715");
  leave.setAttribute("aria-label", say.home);
  root.append(leave);
  let spoken = 0;
  const chat = new Chat(
    root,
    controls.tools,
    say,
    (message) => {
      root.dataset.sent = JSON.stringify(message);
      const { t, text = "", phrase = "" } = /** @type {Record<string, string>} */ (message);
      if (t !== "say") return;
      // The server would send the line back. Here each line is of the next seat.
      const seat = spoken++ % view.hands.length;
      const line = { id: `line${spoken}`, at: spoken, who: `seat${seat}`, name: `Seat ${seat}`, seat, text, phrase };
      chat.receive({ t: "chat", all: false, lines: [line] });
    },
    (seat, words) => board.speak(board.placeOf(seat), words, view.avatars?.[seat]),
    root.dataset.phrases,
  );
  chat.receive({ t: "chat", all: true, lines: CHAT_LINES });
  board.status.show({
    status: isLost ? "offline" : "online",
    text: isLost ? say.status.offline : say.status.online,
    lost: isLost ? { seat: say.lost.seat, left: say.secondsLeft(12) } : null,
    trip: say.trip(640),
    behind: seated ? "" : say.behind(60),
    watching: say.watchers(3),
    round: "",
    windows: "",
    notices: [],
    links: [],
  });
  const wall = new WallPanel(root, say, {
    fair: "?",
    saveReceipt: () => undefined,
    opened: () => undefined,
  });
  wall.show({ wall: positions.WALL, names: view.names, participation: "in" });
  if (votes !== undefined) {
    const requests = { paused: isPaused, resumes_at: 0, votes, left: [], notice: "" };
    const panel = new RequestsPanel(
      board.notices,
      say,
      () => undefined,
      () => undefined,
    );
    panel.show(/** @type {any} */ (requests), you, { names: view.names, bots: view.names.map(() => false) });
  }
  board.clock.show(isOver || legal.length === 0 ? null : clock);
  draw();
  if (view.results.some(({ type }) => type === "hora")) new WinMoment(root, say).show(view);
  if (first !== null) {
    controls.chosen = first;
    draw();
  }
}

/** @param {View} view @param {number | null} you @param {Action[]} legal */
const ending = (view, you, legal) => ({
  view,
  you,
  confirm: legal.find(({ type }) => type === "confirm") ?? null,
  stop: legal.find(({ type }) => type === "stop") ?? null,
  waiting: false,
  enabled: true,
});

/** Short and long ones, some with the tile of a riichi or tiles that were called. */
const RIVERS = [
  POSITIONS.turn.view.hands[0],
  POSITIONS.turn.view.hands[2],
  POSITIONS.turn.view.hands[3],
  POSITIONS.declared.view.hands[1],
  POSITIONS.full.view.hands[1],
].map(({ river }) => river);

/** @param {HTMLElement} root */
function gallery(root) {
  const melds = positions.MELDS.map((sample) => meld(meldTiles(sample, 0, 4), say, ["5p"]));
  root.append(
    section("Tables", links()),
    section("Tiles", ...["huge", "large", "small", "tiny"].map(faces)),
    ...Object.entries(sprites(root))
      .slice(1)
      .map(([set, url]) => section(`Tiles: ${set}`, inSet(set, url))),
    section("Marks", marks()),
    section("Melds", el("div", "samples", ...melds)),
    section("Rivers", el("div", "samples", ...RIVERS.map((river) => riverOf(river)))),
    section("Calls", prompt(POSITIONS.claims), prompt(POSITIONS.turn)),
    ...Object.entries(positions.RESULTS).map(([name, { view }]) => section(name, result(view))),
    section("Ranking", rankingOf()),
  );
}

/** @param {string} title @param {...HTMLElement} children */
const section = (title, ...children) => el("section", "exhibit", el("h2", "", title), ...children);

function links() {
  const items = [...new Set([...Object.keys(POSITIONS), ...Object.keys(STAGED), "moving"])].map((name) =>
    el("li", "", link("", `?scene=${name}`, name)),
  );
  return el("ul", "scenes", ...items);
}

/** @param {string} size */
function faces(size) {
  const shown = [...FACES, HIDDEN].map((pai) => tile(pai, say.tile(pai)));
  return el("div", `samples samples--${size}`, ...shown);
}

/** Another set of faces, large and small. @param {string} set @param {string} url */
function inSet(set, url) {
  const rows = el("div", "sample-rows", faces("large"), faces("tiny"));
  rows.dataset.tiles = set;
  changeSprite(rows, url);
  return rows;
}

/** One tile for each mark. */
function marks() {
  const kinds = ["dora", "last", "recent", "taken", "tsumogiri", "dim", "raised"];
  const shown = kinds.map((kind) => {
    const marked = tile("6p", say.tile("6p"));
    marked.classList.add(`tile--${kind}`);
    return el("figure", "mark", marked, el("figcaption", "", kind));
  });
  const row = el("div", "samples own mj-river", ...shown);
  row.toggleAttribute("data-dim-tsumogiri", true);
  return row;
}

/** @param {import("../table/types.js").RiverTile[]} tiles */
function riverOf(tiles) {
  const widget = new RiverWidget(say);
  widget.show({ rows: riverRows(tiles, { open: true, dora: ["3m", "9p"] }), name: "Rivers" });
  return widget;
}

/** @param {import("./positions.js").Position} position */
function prompt({ view, legal }) {
  const widget = new PromptWidget(say);
  const { buttons } = offer(view.hands[0].tiles, view.drawn, fullLegal(legal, view, 0), view.phase, null);
  widget.show({ buttons, q: 1, enabled: true, hint: "", choosingTiles: false });
  return widget;
}

/** @param {View} view */
function result(view) {
  const widget = new ResultWidget(say);
  widget.show({ panes: panes(view), at: 0, yakuNames: "both" });
  return el("div", "outcome-body", widget);
}

function rankingOf() {
  const widget = new RankingWidget(say);
  widget.show({ rows: ranking(POSITIONS.end.view), chart: scoreChart(POSITIONS.end.view), you: 0, isBrokenOff: false });
  return el("div", "outcome-body", widget);
}

/** @param {HTMLElement} root @param {string | null} name of a scene, or everything */
function exhibit(root, name) {
  followSprite(root);
  if (name === null) gallery(root);
  else if (name === "moving") moving(root, say);
  else scene(root, name);
}

const empty = document.getElementById("gallery");
if (empty !== null) {
  let root = /** @type {HTMLElement} */ (empty.cloneNode(true));
  empty.replaceWith(root);
  exhibit(root, new URLSearchParams(location.search).get("scene"));
  // Tests look at many scenes without loading the page for each.
  document.addEventListener("show-scene", (event) => {
    const next = /** @type {HTMLElement} */ (empty.cloneNode(true));
    root.replaceWith(next);
    root = next;
    exhibit(root, /** @type {CustomEvent<string>} */ (event).detail);
  });
}
