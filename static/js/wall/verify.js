/**
 * Checks the record of a finished game, in mjai: that the seed was bound before anybody could know
 * it, and that every tile comes from its walls. `game/engine/wall_proof.py` and
 * `game/engine/wall.py` define the bytes.
 *
 * @typedef {object} Draw
 * @property {string[]} commitments
 * @property {string} secret
 * @property {string} binding
 * @property {string[]} contributions
 * @property {string} [key] the public key of the signature, from version 2 on
 * @property {string} [signature]
 *
 * @typedef {{version: number, table: string, seats: string[], rules: string, draws: Draw[]}} Proof
 *
 * @typedef {object} Problem
 * @property {string} what a key of the texts `wall.problems`
 * @property {number} [draw] from 1
 * @property {number} [seat]
 * @property {number} [line] of the record, from 1
 *
 * @typedef {object} Finding
 * @property {Proof | null} proof null for a record without one
 * @property {string} seed
 * @property {Problem[]} problems
 * @property {number[]} pages the seats whose pages took part
 * @property {number} hands
 * @property {boolean} isOver the record contains the end of the game
 * @property {boolean} [isMissing] the game has no record
 * @property {"valid" | "unchecked" | "none"} [signature] of the server; unchecked where the browser cannot
 *
 * @typedef {import("./receipts.js").KeptTable} KeptTable
 * @typedef {{table: string, draw: number, seat: number | null, commitments: string[], binding: string,
 *   contribution: string}} Receipt
 */
import { bindingOf, field, four, fourBytes, fromHex, hash, isHash, isSigned, toHex } from "./hash.js";

const SEATS = [0, 1, 2, 3];
const VERSION = 2;
/** The version without a chain of draws and without signatures. */
export const UNSIGNED = 1;
const LAST_DRAW = 14;
/**
 * The layouts of the walls by the number of players.
 * @type {Record<number, {salt: string, replacements: number[], indicators: number[]}>}
 */
const LAYOUTS = {
  4: { salt: "riichi wall 1", replacements: [1, 0, 3, 2, 4, 6, 8, 10, 12], indicators: [5, 7, 9, 11, 13] },
  3: { salt: "riichi wall 2", replacements: [1, 0, 3, 2, 5, 4, 7, 6], indicators: [9, 11, 13, 15, 17] },
};
/** The types of events before the first hand. */
const STARTING = ["start_game", "hello", "none"];
const MELD_TILES = { chi: 3, pon: 3, daiminkan: 4, ankan: 5, kakan: 4 };

/** @param {unknown} first @param {unknown} second */
const isEqual = (first, second) => JSON.stringify(first) === JSON.stringify(second);

/** Something in the record does not fit; the message is a key of the texts `wall.problems`. */
class DoesNotFit extends Error {}

/** @param {boolean} fits @param {string} what */
function expect(fits, what) {
  if (!fits) throw new DoesNotFit(what);
}

/** @param {unknown} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {{players?: number}} rules */
function playersOf({ players = 4 }) {
  expect(players === 3 || players === 4, "damaged");
  return players;
}

/** @param {any} value @param {number} [size] @returns {any[]} */
function row(value, size) {
  expect(Array.isArray(value) && (size === undefined || value.length === size), "damaged");
  return value;
}

/**
 * Numbers that are not exact are refused, since other languages read them differently.
 * @param {string} text
 */
const readJson = (text) =>
  JSON.parse(text, (_, value) => {
    expect(typeof value !== "number" || Math.abs(value) < 2 ** 53, "damaged");
    return value;
  });

/**
 * The events of a record in mjai and its mark, which has to be the only one. The mark is null for a
 * record without a proof.
 * @param {string} file
 * @returns {{events: any[], mark: any}}
 */
function readRecord(file) {
  const text = file.replace(/^\uFEFF/, "");
  const lines = text.split("\n").filter((line) => !/^[ \t\r]*$/.test(line));
  const events = row(text.trimStart().startsWith("[") ? readJson(text) : lines.map((line) => readJson(line)));
  const first = events.findIndex(({ type }) => type === "start_kyoku");
  const start = events.slice(0, first);
  expect(first >= 0 && start.every(({ type }) => STARTING.includes(type)), "damaged");
  const mark = start.find((event) => Object.hasOwn(event, "house"))?.house;
  if (!isObject(mark)) return { events, mark: null };
  if (!Object.hasOwn(mark, "seed") && !Object.hasOwn(mark, "proof")) return { events, mark: null };
  let marks = 0;
  for (const [, string, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)) {
    const value = JSON.parse(string);
    expect(!/\p{Surrogate}/u.test(value), "damaged"); // half of a character
    if (colon !== undefined && value === "house") marks += 1;
  }
  expect(marks === 1, "marks");
  return { events, mark: (mark.proof ?? null) === null ? null : mark };
}

/**
 * Check a record.
 * @param {string} text the record in mjai, one event a line
 * @returns {Promise<Finding>}
 */
export async function verify(text) {
  /** @type {Finding} */
  const found = { proof: null, seed: "", problems: [], pages: [], hands: 0, isOver: false };
  try {
    const { events, mark } = readRecord(text);
    if (mark === null) return found;
    found.proof = mark.proof;
    found.seed = mark.seed;
    expect(mark.format === 1, "damaged");
    found.problems = await proofProblems(mark.proof, mark.seed, mark.rules);
    found.signature = await signatureOf(mark.proof, found.problems);
    const last = mark.proof.draws.at(-1);
    found.pages = SEATS.filter((seat) => last?.contributions[seat]);
    if (found.problems.length === 0) await followTiles(events, mark.rules, mark.seed, found);
  } catch (error) {
    const what = error instanceof DoesNotFit ? error.message : "damaged";
    found.problems.push({ what });
  }
  return found;
}

/**
 * Check the signatures, and add those that are not valid to the problems.
 * @param {Proof} proof
 * @param {Problem[]} problems
 * @returns {Promise<"valid" | "unchecked" | "none">}
 */
async function signatureOf({ version, draws }, problems) {
  if (version === UNSIGNED) {
    const unexpected = draws.findIndex(({ key = "", signature = "" }) => key !== "" || signature !== "");
    if (unexpected >= 0) problems.push({ what: "signature", draw: unexpected + 1 });
    return "none";
  }
  if (problems.length > 0) return "unchecked";
  let isChecked = true;
  for (const [at, { binding, key = "", signature = "" }] of draws.entries()) {
    const isValid = await isSigned({ binding, key, signature });
    if (isValid === false) problems.push({ what: "signature", draw: at + 1 });
    isChecked &&= isValid !== null;
  }
  return isChecked ? "valid" : "unchecked";
}

/** @param {Proof} proof @param {string} seed @param {Record<string, unknown>} rules */
async function proofProblems(proof, seed, rules) {
  const { version, table, seats, draws } = proof;
  const players = playersOf(rules);
  if (version !== UNSIGNED && version !== VERSION) return [{ what: "version" }];
  expect(
    [table, ...row(seats, players), proof.rules].every((text) => typeof text === "string"),
    "damaged",
  );
  if (row(draws).length === 0) return [{ what: "no_draw" }];
  /** @type {Problem[]} */
  const problems = [];
  const bound = readJson(proof.rules);
  const isBound = isObject(bound) && Object.entries(bound).every(([name, value]) => isEqual(rules[name], value));
  if (!isBound) problems.push({ what: "rules" });
  const fields = [...seats, proof.rules].map(field);
  const terms = toHex(await hash("riichi wall terms 2", ...fields));
  let previous = "";
  /** @type {Set<number>} */
  const leftOut = new Set();
  for (const [at, { commitments, secret, binding, contributions }] of draws.entries()) {
    const draw = at + 1;
    const given = [...row(commitments, players), ...row(contributions, players)];
    if (![secret, binding, ...given.filter((hash) => hash !== "")].every(isHash)) {
      problems.push({ what: "size", draw });
      continue;
    }
    const made = commitments.filter((commitment) => commitment !== "");
    if (new Set(made).size < made.length) problems.push({ what: "copied", draw });
    const secret_hash = toHex(await hash(fromHex(secret)));
    const facts = { table, terms, draw, commitments, secret_hash, left_out: [...leftOut], previous };
    const expected =
      version === UNSIGNED
        ? toHex(await hash("riichi wall binding 1", field(table), ...fields, fromHex(secret)))
        : await bindingOf(facts);
    if (expected !== binding) problems.push({ what: "binding", draw });
    previous = binding;
    for (const seat of commitments.keys()) {
      const [commitment, given] = [commitments[seat], contributions[seat]];
      if (leftOut.has(seat) && commitment !== "") problems.push({ what: "came_back", draw, seat });
      if (given !== "" && toHex(await hash(fromHex(given))) !== commitment) {
        problems.push({ what: "contribution", draw, seat });
      }
    }
    const silent = [...commitments.keys()].filter((seat) => commitments[seat] !== "" && contributions[seat] === "");
    for (const seat of silent) leftOut.add(seat);
    if (draw < draws.length && silent.length === 0) problems.push({ what: "drawn_again", draw });
    if (draw === draws.length && silent.length > 0) problems.push({ what: "dropped", draw, seat: silent[0] });
  }
  if (problems.length > 0) return problems;
  const { secret, contributions } = draws[draws.length - 1];
  if (contributions.every((given) => given === "")) return [{ what: "no_page" }];
  const chained = fromHex(version === UNSIGNED ? "" : previous);
  const parts = [field(table), chained, fromHex(secret), four(contributions)];
  const expected = toHex(await hash(`riichi wall seed ${version}`, ...parts));
  return expected === seed ? [] : [{ what: "seed" }];
}

/** @typedef {{red_fives: number[], players?: number}} Rules */

/** @param {Rules} rules @returns {string[]} all tiles in ascending order */
function tileSet(rules) {
  const reds = rules.red_fives;
  const ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const all = [..."mps"].flatMap((suit) => ranks.map((rank) => `${rank}${suit}`));
  const names = playersOf(rules) === 3 ? all.filter((name) => !/^[2-8]m$/.test(name)) : all;
  return [...names, ..."ESWNPFC"].flatMap((name) => {
    const red = name[0] === "5" ? reds["mps".indexOf(name[1])] : 0;
    return SEATS.map((copy) => (copy < 4 - red ? name : `${name}r`));
  });
}

/** @param {Rules} rules @param {Uint8Array} seed @param {number} hand from 0 */
async function shuffled(rules, seed, hand) {
  const wall = tileSet(rules);
  const { salt } = LAYOUTS[playersOf(rules)];
  /** @type {number[]} */
  let numbers = [];
  let block = 0;
  for (let last = wall.length - 1; last > 0; last -= 1) {
    const limit = 65_536 - (65_536 % (last + 1));
    let number = limit;
    while (number >= limit) {
      if (numbers.length === 0) {
        const data = await hash(salt, seed, fourBytes(hand), fourBytes(block));
        numbers = Array.from({ length: 16 }, (_, at) => data[2 * at] * 256 + data[2 * at + 1]);
        block += 1;
      }
      number = /** @type {number} */ (numbers.shift());
    }
    const other = number % (last + 1);
    [wall[last], wall[other]] = [wall[other], wall[last]];
  }
  return wall;
}

/**
 * The hand of the seat so many places after the dealer.
 * @param {string[]} wall
 * @param {number} place
 * @param {number} players
 */
function dealt(wall, place, players) {
  const last = wall.length - 1;
  const fours = [0, 1, 2].flatMap((turn) =>
    [0, 1, 2, 3].map((number) => wall[last - 4 * players * turn - 4 * place - number]),
  );
  return [...fours, wall[last - 12 * players - place]];
}

/** @param {string[]} first @param {string[]} second */
const isSameHand = (first, second) => isEqual([...first].sort(), [...second].sort());

/**
 * Follow all tiles from the walls through the game, up to the first that does not fit.
 * @param {any[]} events
 * @param {Rules} rules
 * @param {string} seed
 * @param {Finding} found gets the hands, the end of the game, and the problem
 */
async function followTiles(events, rules, seed, found) {
  /** @type {HandInPlay | null} */
  let play = null;
  for (const [at, event] of events.entries()) {
    try {
      expect(!found.isOver, "order");
      if (play !== null && play.step !== "closed") {
        play.follow(event);
      } else if (event.type === "start_kyoku") {
        play = new HandInPlay(await shuffled(rules, fromHex(seed), found.hands), event, playersOf(rules));
        found.hands += 1;
      } else {
        expect((play === null && STARTING.includes(event.type)) || event.type === "end_game", "order");
        found.isOver = event.type === "end_game";
      }
    } catch (error) {
      const what = error instanceof DoesNotFit ? error.message : "damaged";
      found.problems.push({ what, line: at + 1 });
      return;
    }
  }
  if (play?.step !== "closed") found.problems.push({ what: "stops" });
}

/** @param {"chi" | "pon" | "daiminkan" | "ankan" | "kakan"} kind @param {string[]} tiles */
function isMeld(kind, tiles) {
  if (tiles.length !== MELD_TILES[kind]) return false;
  const kinds = tiles.map((tile) => tile.slice(0, 2)).sort();
  const isOf = (/** @type {(tile: string) => string} */ part) => new Set(kinds.map(part)).size === 1;
  if (kind !== "chi") return isOf((tile) => tile);
  return isOf((tile) => tile.slice(1)) && "123456789".includes(kinds.map((tile) => tile[0]).join(""));
}

/** One hand of the record, played on the wall of the seed. */
class HandInPlay {
  /** @type {"draw" | "drawn" | "called" | "over" | "closed"} */
  step = "draw";
  /** @type {string | null} the tile drawn, discarded or called last */
  #last = null;
  /** @type {number | null} the seat whose tile others may take */
  #openBy = null;
  #isReplacement = false;
  /** @type {string[]} */
  #pons = [];

  /** @param {string[]} wall @param {any} start @param {number} players */
  constructor(wall, start, players) {
    this.seats = SEATS.slice(0, players);
    expect(this.seats.includes(start.oya), "deal");
    const { replacements, indicators } = LAYOUTS[players];
    this.turn = start.oya;
    this.live = wall.slice(LAST_DRAW, wall.length - 13 * players);
    this.replacements = replacements.map((place) => wall[place]);
    this.indicators = indicators.map((place) => wall[place]);
    this.ura = indicators.map((place) => wall[place - 1]);
    /** @type {string[][]} */
    this.hands = this.seats.map((seat) => dealt(wall, (seat - start.oya + players) % players, players));
    const rows = row(start.tehais, players);
    expect(
      rows.every((tiles, seat) => isSameHand(row(tiles), this.hands[seat])),
      "deal",
    );
    this.#turnIndicator(start);
  }

  /** @param {any} event */
  follow(event) {
    const { type } = event;
    if (type === "start_kyoku" || type === "end_game") throw new DoesNotFit("stops");
    expect(this.step !== "over" || type === "hora" || type === "end_kyoku", "order");
    switch (type) {
      case "dora":
        return this.#turnIndicator(event);
      case "tsumo":
        return this.#draw(event);
      case "dahai":
        return this.#discard(event);
      case "chi":
      case "pon":
      case "daiminkan":
        return this.#call(event);
      case "ankan":
      case "kakan":
        return this.#kan(event);
      case "kita":
        return this.#setNorthAside(event);
      case "hora":
        return this.#win(event);
      case "ryukyoku":
        return this.#show(event);
      case "end_kyoku":
        expect(this.step === "over", "order");
        this.step = "closed";
        return undefined;
      default:
        return expect((type === "reach" || type === "reach_accepted") && this.seats.includes(event.actor), "order");
    }
  }

  /** @param {any} event */
  #turnIndicator({ dora_marker: marker }) {
    expect(this.indicators.length > 0 && marker === this.indicators.shift(), "indicator");
  }

  /** @param {any} event */
  #draw({ actor, pai }) {
    this.#expectTurn(actor, "draw");
    const drawn = this.#isReplacement ? this.replacements.shift() : this.live.pop();
    expect(drawn !== undefined && pai === drawn, "draw");
    this.hands[actor].push(pai);
    this.#isReplacement = false;
    this.step = "drawn";
    [this.#last, this.#openBy] = [pai, null];
  }

  /** @param {any} event */
  #discard({ actor, pai, tsumogiri }) {
    this.#expectTurn(actor, "drawn", "called");
    const isDrawn = this.step === "drawn" && pai === this.#last;
    expect(tsumogiri === false || (tsumogiri === true && isDrawn), "tile");
    this.#remove(actor, [pai]);
    this.turn = (actor + 1) % this.seats.length;
    this.step = "draw";
    [this.#last, this.#openBy] = [pai, actor];
  }

  /** @param {any} event */
  #call({ type, actor, target, pai, consumed }) {
    const isOpen = this.#openBy !== null && target === this.#openBy && actor !== target && this.seats.includes(actor);
    expect(isOpen && (type !== "chi" || actor === this.turn), "order");
    expect(pai === this.#last && isMeld(type, [pai, ...row(consumed)]), "tile");
    this.#remove(actor, consumed);
    if (type === "pon") this.#pons.push(ponOf(actor, [pai, ...consumed]));
    this.turn = actor;
    this.#openBy = null;
    this.#isReplacement = type === "daiminkan";
    this.step = this.#isReplacement ? "draw" : "called";
  }

  /** @param {any} event */
  #kan({ type, actor, pai, consumed }) {
    this.#expectTurn(actor, "drawn");
    const tile = type === "kakan" ? pai : row(consumed)[0];
    expect(isMeld(type, [tile, ...row(consumed)]), "tile");
    if (type === "kakan") {
      const at = this.#pons.indexOf(ponOf(actor, consumed));
      expect(at >= 0, "tile");
      this.#pons.splice(at, 1);
    }
    this.#remove(actor, type === "kakan" ? [pai] : consumed);
    this.#isReplacement = true;
    this.step = "draw";
    [this.#last, this.#openBy] = [tile, actor];
  }

  /** @param {any} event */
  #setNorthAside({ actor, pai }) {
    this.#expectTurn(actor, "drawn");
    expect(pai === "N", "tile");
    this.#remove(actor, [pai]);
    this.#isReplacement = true;
    this.step = "draw";
    [this.#last, this.#openBy] = [pai, actor];
  }

  /** @param {any} event */
  #win({ actor, target, pai, hora_tehais: shown, uradora_markers: ura }) {
    const isSelfDraw = actor === target;
    if (isSelfDraw) this.#expectTurn(actor, "drawn");
    const isOpen = this.#openBy !== null && target === this.#openBy && (this.step === "draw" || this.step === "over");
    expect(this.seats.includes(actor) && (isSelfDraw || isOpen), "order");
    expect(pai === this.#last && isSameHand([...row(shown), ...(isSelfDraw ? [pai] : [])], this.hands[actor]), "tile");
    expect(isEqual(row(ura), this.ura.slice(0, ura.length)), "indicator");
    this.step = "over";
  }

  /** @param {any} draw */
  #show({ tehais }) {
    const isHidden = (/** @type {string[]} */ tiles) => row(tiles).every((tile) => tile === "?");
    expect(
      row(tehais, this.seats.length).every((tiles, seat) => isHidden(tiles) || isSameHand(tiles, this.hands[seat])),
      "tile",
    );
    this.step = "over";
    this.#openBy = null;
  }

  /** @param {unknown} actor @param {...string} steps */
  #expectTurn(actor, ...steps) {
    expect(actor === this.turn && steps.includes(this.step), "order");
  }

  /** @param {number} seat @param {string[]} tiles */
  #remove(seat, tiles) {
    for (const tile of tiles) {
      const at = this.hands[seat].indexOf(tile);
      expect(at >= 0, "tile");
      this.hands[seat].splice(at, 1);
    }
  }
}

/** @param {number} seat @param {string[]} tiles */
const ponOf = (seat, tiles) => [seat, ...[...tiles].sort()].join();

/**
 * What does not fit between a record's proof and a receipt, or what this browser has kept.
 * @param {Proof} proof
 * @param {Receipt} receipt
 * @returns {Problem[]}
 */
export function receiptProblems(proof, { table, draw, seat, commitments, binding, contribution }) {
  if (table !== proof.table) return [{ what: "receipt_table" }];
  const drawn = proof.draws[draw - 1];
  if (drawn === undefined) return [{ what: "receipt_draw", draw }];
  /** @type {Problem[]} */
  const problems = [];
  if (binding !== drawn.binding) problems.push({ what: "receipt_binding", draw });
  if (!isEqual(commitments, drawn.commitments)) problems.push({ what: "receipt_commitments", draw });
  if (seat !== null && contribution !== "" && drawn.contributions[seat] === "") {
    problems.push({ what: "receipt_silent", draw });
  } else if (seat !== null && contribution !== "" && drawn.contributions[seat] !== contribution) {
    problems.push({ what: "receipt_contribution", draw, seat });
  }
  return problems;
}

/**
 * What does not fit between a record's proof and the draws that this browser has kept of the table.
 * @param {Proof} proof
 * @param {KeptTable} kept
 * @returns {Problem[]}
 */
export function keptProblems(proof, { seat, draws }) {
  return Object.entries(draws).flatMap(([number, own]) => {
    if (own.binding === undefined || own.commitments === undefined) return [];
    const { contribution, binding, commitments } = own;
    return receiptProblems(proof, {
      table: proof.table,
      draw: Number(number),
      seat,
      commitments,
      binding,
      contribution,
    });
  });
}

/** Whether this browser's bytes are part of the seed. @param {Proof} proof @param {KeptTable | null} kept */
export function tookPart(proof, kept) {
  const own = kept?.draws[proof.draws.length];
  return own !== undefined && kept !== null && proof.draws.at(-1)?.contributions[kept.seat] === own.contribution;
}
