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
 * @property {boolean} [isMissing] the game has no record
 *
 * @typedef {import("./receipts.js").KeptTable} KeptTable
 * @typedef {{table: string, draw: number, seat: number | null, commitments: string[], binding: string, contribution: string}} Receipt
 */
import { fromHex, isHash, sha256, toHex } from "./hash.js";

const SEATS = [0, 1, 2, 3];
const HANDS_BEGIN = 135;
const FIRST_DRAW = 83;
const LAST_DRAW = 14;
const REPLACEMENTS = [1, 0, 3, 2, 4, 6, 8, 10, 12];
const INDICATORS = [5, 7, 9, 11, 13];

const encoder = new TextEncoder();

/** @param {...(Uint8Array | string)} parts texts are hashed as UTF-8 */
async function hash(...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  const all = new Uint8Array(bytes.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of bytes) {
    all.set(part, at);
    at += part.length;
  }
  return sha256(all);
}

/** @param {number} number @returns {Uint8Array} four bytes, the highest first */
const fourBytes = (number) => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);

/** @param {string} text @returns {Uint8Array} its length and its bytes */
function field(text) {
  const bytes = encoder.encode(text);
  return Uint8Array.of(...fourBytes(bytes.length), ...bytes);
}

/** @param {unknown} first @param {unknown} second */
const isEqual = (first, second) => JSON.stringify(first) === JSON.stringify(second);

/**
 * Check a record.
 * @param {string} text the record in mjai, one event a line
 * @returns {Promise<Finding>}
 */
export async function verify(text) {
  /** @type {Finding} */
  const found = { proof: null, seed: "", problems: [], pages: [], hands: 0 };
  try {
    const events = text.trim().split("\n").map((line) => JSON.parse(line));
    const { house } = events[0];
    if (house?.proof === undefined || house.proof === null) return found;
    found.proof = house.proof;
    found.seed = house.seed;
    found.problems = await proofProblems(house.proof, house.seed, house.rules);
    const last = house.proof.draws.at(-1);
    found.pages = SEATS.filter((seat) => last?.contributions[seat]);
    found.hands = events.filter(({ type }) => type === "start_kyoku").length;
    if (found.problems.length === 0) found.problems = await tileProblems(events, house.rules, house.seed);
  } catch {
    found.problems.push({ what: "damaged" });
  }
  return found;
}

/** @param {Proof} proof @param {string} seed @param {Record<string, unknown>} rules */
async function proofProblems(proof, seed, rules) {
  const { version, table, seats, draws } = proof;
  if (version !== 1) return [{ what: "version" }];
  if (draws.length === 0) return [{ what: "no_draw" }];
  /** @type {Problem[]} */
  const problems = [];
  const bound = Object.entries(JSON.parse(proof.rules));
  if (!bound.every(([name, value]) => isEqual(rules[name], value))) problems.push({ what: "rules" });
  const fields = [table, ...seats, proof.rules].map(field);
  /** @type {Set<number>} */
  const leftOut = new Set();
  for (const [at, { commitments, secret, binding, contributions }] of draws.entries()) {
    const draw = at + 1;
    const four = [...commitments, ...contributions];
    if (four.length !== 8 || ![secret, binding, ...four.filter((hash) => hash !== "")].every(isHash)) {
      problems.push({ what: "size", draw });
      continue;
    }
    const expected = toHex(await hash("riichi wall binding 1", ...fields, fromHex(secret)));
    if (expected !== binding) problems.push({ what: "binding", draw });
    for (const seat of SEATS) {
      const [commitment, given] = [commitments[seat], contributions[seat]];
      if (leftOut.has(seat) && commitment !== "") problems.push({ what: "came_back", draw, seat });
      if (given !== "" && toHex(await hash(fromHex(given))) !== commitment) {
        problems.push({ what: "contribution", draw, seat });
      }
    }
    const silent = SEATS.filter((seat) => commitments[seat] !== "" && contributions[seat] === "");
    for (const seat of silent) leftOut.add(seat);
    if (draw < draws.length && silent.length === 0) problems.push({ what: "drawn_again", draw });
    if (draw === draws.length && silent.length > 0) problems.push({ what: "dropped", draw, seat: silent[0] });
  }
  if (problems.length > 0) return problems;
  const { secret, contributions } = draws[draws.length - 1];
  if (contributions.every((given) => given === "")) return [{ what: "no_page" }];
  const given = contributions.map((hex) => fromHex(hex === "" ? "00" : `01${hex}`));
  const expected = toHex(await hash("riichi wall seed 1", fields[0], fromHex(secret), ...given));
  return expected === seed ? [] : [{ what: "seed" }];
}

/** @param {{red_fives: number[]}} rules @returns {string[]} all tiles in ascending order */
function tileSet({ red_fives: reds }) {
  const ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const names = [..."mps"].flatMap((suit) => ranks.map((rank) => `${rank}${suit}`));
  return [...names, ..."ESWNPFC"].flatMap((name) => {
    const red = name[0] === "5" ? reds["mps".indexOf(name[1])] : 0;
    return SEATS.map((copy) => (copy < 4 - red ? name : `${name}r`));
  });
}

/** @param {{red_fives: number[]}} rules @param {Uint8Array} seed @param {number} hand from 0 */
async function shuffled(rules, seed, hand) {
  const wall = tileSet(rules);
  /** @type {number[]} */
  let numbers = [];
  let block = 0;
  for (let last = wall.length - 1; last > 0; last -= 1) {
    const limit = 65_536 - (65_536 % (last + 1));
    let number = limit;
    while (number >= limit) {
      if (numbers.length === 0) {
        const data = await hash("riichi wall 1", seed, fourBytes(hand), fourBytes(block));
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

/** The hand of the seat so many places after the dealer. @param {string[]} wall @param {number} place */
function dealt(wall, place) {
  const fours = [0, 1, 2].flatMap((turn) =>
    [0, 1, 2, 3].map((number) => wall[HANDS_BEGIN - 16 * turn - 4 * place - number]),
  );
  return [...fours, wall[87 - place]];
}

/** @param {string[]} first @param {string[]} second */
const isSameHand = (first, second) => isEqual([...first].sort(), [...second].sort());

/**
 * Follow all tiles from the walls through the game, up to the first that does not fit.
 * @param {any[]} events
 * @param {{red_fives: number[]}} rules
 * @param {string} seed
 * @returns {Promise<Problem[]>}
 */
async function tileProblems(events, rules, seed) {
  /** @type {HandInPlay | null} */
  let play = null;
  let hand = 0;
  for (const [at, event] of events.entries()) {
    if (event.type === "start_kyoku") {
      play = new HandInPlay(await shuffled(rules, fromHex(seed), hand), event);
      hand += 1;
    }
    const what = play?.problem(event) ?? "";
    if (what !== "") return [{ what, line: at + 1 }];
  }
  return [];
}

/** One hand of the record, played on the wall of the seed. */
class HandInPlay {
  /** @type {string | null} the tile drawn, discarded or called last */
  #last = null;
  #isReplacement = false;
  /** @type {string[]} */
  #pons = [];

  /** @param {string[]} wall @param {any} start */
  constructor(wall, start) {
    this.wall = wall;
    this.live = wall.slice(LAST_DRAW, FIRST_DRAW + 1);
    this.replacements = REPLACEMENTS.map((place) => wall[place]);
    this.indicators = INDICATORS.map((place) => wall[place]);
    this.ura = INDICATORS.map((place) => wall[place - 1]);
    /** @type {string[][]} */
    this.hands = SEATS.map((seat) => dealt(wall, (seat - start.oya + 4) % 4));
  }

  /** @param {any} event @returns {string} what does not fit; empty if all does */
  problem(event) {
    const { type, pai, actor, consumed = [] } = event;
    if (type === "start_kyoku" && !SEATS.every((seat) => isSameHand(event.tehais[seat], this.hands[seat]))) {
      return "deal";
    }
    if (event.dora_marker !== undefined && event.dora_marker !== this.indicators.shift()) return "indicator";
    if (type === "tsumo") {
      const drawn = this.#isReplacement ? this.replacements.shift() : this.live.pop();
      if (pai !== drawn) return "draw";
      this.hands[actor].push(pai);
      this.#isReplacement = false;
    }
    const leaving = type === "dahai" || type === "kakan" ? [pai] : consumed;
    if (!leaving.every((/** @type {string} */ tile) => this.#remove(actor, tile))) return "tile";
    if (type === "pon") this.#pons.push([pai, ...consumed].sort().join());
    if (type === "kakan" && !this.#pons.includes([...consumed].sort().join())) return "tile";
    const isLast = ["chi", "pon", "daiminkan", "hora"].includes(type) || event.tsumogiri === true;
    if (isLast && pai !== this.#last) return "tile";
    if (["ankan", "kakan", "daiminkan"].includes(type)) this.#isReplacement = true;
    this.#last = pai ?? consumed[0] ?? this.#last;
    if (type === "hora") return this.#winProblem(event);
    if (type === "ryukyoku") return this.#drawProblem(event);
    return "";
  }

  /** @param {number} seat @param {string} tile @returns {boolean} whether the hand had it */
  #remove(seat, tile) {
    const at = this.hands[seat].indexOf(tile);
    if (at >= 0) this.hands[seat].splice(at, 1);
    return at >= 0;
  }

  /** @param {any} win */
  #winProblem({ actor, target, pai, hora_tehais: shown, uradora_markers: ura }) {
    const hidden = actor === target ? [...shown, pai] : shown;
    if (!isSameHand(hidden, this.hands[actor])) return "tile";
    return isEqual(ura, this.ura.slice(0, ura.length)) ? "" : "indicator";
  }

  /** @param {{tehais: string[][]}} draw */
  #drawProblem({ tehais }) {
    const isShown = (/** @type {string[]} */ row) => !row.every((tile) => tile === "?");
    return tehais.every((row, seat) => !isShown(row) || isSameHand(row, this.hands[seat])) ? "" : "tile";
  }
}

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
  if (seat !== null && contribution !== "" && drawn.contributions[seat] !== contribution) {
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
    return receiptProblems(proof, { table: proof.table, draw: Number(number), seat, commitments, binding, contribution });
  });
}

/** Whether this browser's bytes are part of the seed. @param {Proof} proof @param {KeptTable | null} kept */
export function tookPart(proof, kept) {
  const own = kept?.draws[proof.draws.length];
  return own !== undefined && kept !== null && proof.draws.at(-1)?.contributions[kept.seat] === own.contribution;
}
