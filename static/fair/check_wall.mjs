// Check the walls of a game without its site: node check_wall.mjs RECORD.jsonl
import { createHash, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const fail = (what) => {
  console.error(what);
  process.exit(1);
};
const expect = (fits, what) => fits || fail(`DOES NOT FIT: ${what}`);
const bytes = (hex) => Buffer.from(hex, "hex");
const number4 = (n) => Buffer.from([n >>> 24, n >>> 16, n >>> 8, n]);
const sha = (...parts) =>
  createHash("sha256")
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();
const field = (text) => Buffer.concat([number4(Buffer.byteLength(text)), Buffer.from(text)]);
const bySeat = (row) => Buffer.concat(row.map((value) => (value ? bytes(`01${value}`) : bytes("00"))));
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
function bindingOf({ table, terms, draw, commitments, secret_hash, left_out, previous }) {
  const [start, mask] = ["riichi wall binding 2", left_out.reduce((sum, seat) => sum | (1 << seat), 0)];
  return sha(
    start,
    field(table),
    bytes(terms),
    number4(draw),
    bySeat(commitments),
    bytes(secret_hash),
    [mask],
    bytes(previous),
  ).toString("hex");
}
function isSigned({ binding, key, signature }) {
  // Ed25519; the prefix names it
  if (!/^[0-9a-f]{64}$/.test(key) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const spki = { key: bytes(`302a300506032b6570032100${key}`), format: "der", type: "spki" };
  try {
    return verify(
      null,
      Buffer.concat([Buffer.from("riichi wall signature 2"), bytes(binding)]),
      spki,
      bytes(signature),
    );
  } catch {
    return false;
  }
}
function plain(_name, value) {
  // refuses a number that is not exact
  if (typeof value === "number" && !(Math.abs(value) < 2 ** 53)) throw new Error(`the number ${value}`);
  return value;
}
const readJson = (text) => JSON.parse(text, plain);
function row(value, size = value.length) {
  expect(Array.isArray(value) && value.length === size, "a list");
  return value;
}
function hex(value, ...sizes) {
  const isHex = typeof value === "string" && /^([0-9a-f]{2})*$/.test(value);
  expect(isHex && sizes.includes(value.length / 2), "the form of a value");
  return value;
}

/** The events of a record and its mark, which has to be the only one. */
function readRecord(path) {
  const text = new TextDecoder().decode(readFileSync(path));
  const lines = text.split("\n").filter((line) => !/^[ \t\r]*$/.test(line));
  const events = text.trimStart().startsWith("[") ? readJson(text) : lines.map((line) => readJson(line));
  const first = row(events).findIndex(({ type }) => type === "start_kyoku");
  const start = events.slice(0, first);
  const isStart = start.every(({ type }) => ["start_game", "hello", "none"].includes(type));
  expect(first >= 0 && isStart, "something else before the first hand");
  const house = start.find((event) => Object.hasOwn(event, "house"))?.house;
  const isMark =
    house !== null && typeof house === "object" && (Object.hasOwn(house, "seed") || Object.hasOwn(house, "proof"));
  if (!isMark) fail("NO PROOF in this record");
  let marks = 0;
  for (const [, string, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)) {
    const value = JSON.parse(string);
    expect(!/\p{Surrogate}/u.test(value), "half of a character, which other languages read differently");
    marks += colon && value === "house" ? 1 : 0;
  }
  expect(marks === 1, "more than one mark");
  if ((house.proof ?? null) === null) fail("NO PROOF in this record");
  return { events, house };
}

function playersOf({ players = 4 }) {
  expect(players === 3 || players === 4, "the number of players");
  return players;
}

/** Was the seed fixed before anybody could know it? Returns the draws and who signed them. */
function checkProof({ format, rules, proof, seed }) {
  const { version, table, seats, draws } = proof;
  const players = playersOf(rules);
  expect(format === 1, "the format");
  expect(version === 1 || version === 2, "the version");
  const texts = [table, ...row(seats, players), proof.rules];
  expect(
    texts.every((text) => typeof text === "string"),
    "a text",
  );
  const bound = readJson(proof.rules);
  expect(bound !== null && typeof bound === "object" && !Array.isArray(bound), "the rules");
  for (const [name, value] of Object.entries(bound)) {
    expect(Object.hasOwn(rules, name) && same(rules[name], value), `the rule ${name}`);
  }
  const fields = texts.slice(1).map(field);
  const terms = sha("riichi wall terms 2", ...fields).toString("hex");
  expect(row(draws).length > 0, "no draw");
  const [left_out, key] = [[], draws.at(-1).key];
  let previous = "";
  for (const [at, drawn] of draws.entries()) {
    const { binding } = drawn;
    const [secret, commitments] = [
      hex(drawn.secret, 32),
      row(drawn.commitments, players).map((value) => hex(value, 0, 32)),
    ];
    const contributions = row(drawn.contributions, players).map((value) => hex(value, 0, 32));
    const facts = { table, terms, draw: at + 1, commitments, secret_hash: sha(bytes(secret)), left_out, previous };
    const unsigned = () => sha("riichi wall binding 1", field(table), ...fields, bytes(secret)).toString("hex");
    expect((version === 1 ? unsigned() : bindingOf(facts)) === binding, `the hash of draw ${at + 1}`);
    const isUnsigned = [drawn.key, drawn.signature].every((value) => [undefined, ""].includes(value));
    const isValid = () => isSigned({ binding, key: hex(drawn.key, 32), signature: hex(drawn.signature, 64) });
    expect(version === 1 ? isUnsigned : isValid(), `the signature of draw ${at + 1}`);
    const made = commitments.filter(Boolean);
    expect(new Set(made).size === made.length, `draw ${at + 1}: a copied commitment`);
    expect(!left_out.some((seat) => commitments[seat]), `draw ${at + 1}: who was left out`);
    for (const [seat, given] of contributions.entries()) {
      const fits = !given || sha(bytes(given)).toString("hex") === commitments[seat];
      expect(fits, `draw ${at + 1}: the bytes of seat ${seat}`);
    }
    const silent = [...commitments.keys()].filter((seat) => commitments[seat] && !contributions[seat]);
    expect(silent.length > 0 === at + 1 < draws.length, `draw ${at + 1} is not the one that counts`);
    left_out.push(...silent);
    previous = binding;
  }
  const { secret, contributions } = draws.at(-1);
  expect(contributions.some(Boolean), "no page took part");
  const chained = version === 1 ? "" : bytes(previous);
  const expected = sha(`riichi wall seed ${version}`, field(table), chained, bytes(secret), bySeat(contributions));
  expect(expected.toString("hex") === seed, "the seed");
  return { draws, signer: version === 1 ? "not signed (version 1)" : `signed with ${key}` };
}

const SEATS = [0, 1, 2, 3];
const SALTS = { 136: "riichi wall 1", 108: "riichi wall 2" }; // by the number of tiles
const names = [..."mps"].flatMap((suit) => [..."123456789"].map((rank) => rank + suit)).concat([..."ESWNPFC"]);
function tileSet(rules) {
  const reds = rules.red_fives;
  const inPlay = playersOf(rules) === 3 ? names.filter((name) => !/^[2-8]m$/.test(name)) : names;
  const redOf = (name) => (name[0] === "5" ? reds["mps".indexOf(name[1])] : 0);
  return inPlay.flatMap((name) => [0, 1, 2, 3].map((copy) => (copy < 4 - redOf(name) ? name : `${name}r`)));
}
function* stream(salt, seed, hand) {
  for (let block = 0; ; block += 1) {
    const data = sha(salt, bytes(seed), number4(hand), number4(block));
    for (let at = 0; at < 32; at += 2) yield data.readUInt16BE(at);
  }
}
function shuffled(rules, seed, hand) {
  const wall = tileSet(rules);
  const numbers = stream(SALTS[wall.length], seed, hand);
  for (let i = wall.length - 1; i > 0; i -= 1) {
    let n = numbers.next().value;
    while (n >= 65536 - (65536 % (i + 1))) n = numbers.next().value;
    [wall[i], wall[n % (i + 1)]] = [wall[n % (i + 1)], wall[i]];
  }
  return wall;
}
function isMeld(kind, tiles) {
  if (tiles.length !== (kind.endsWith("kan") ? 4 : 3) + (kind === "ankan" ? 1 : 0)) return false;
  const kinds = tiles.map((tile) => tile.slice(0, 2)).sort();
  const isOf = (part) => new Set(kinds.map(part)).size === 1;
  const isRun = isOf((tile) => tile.slice(1)) && "123456789".includes(kinds.map((tile) => tile[0]).join(""));
  return kind === "chi" ? isRun : isOf((tile) => tile);
}
const isSame = (one, other) => same([...one].sort(), [...other].sort());

/** One hand on the wall of the seed. */
class Hand {
  constructor(wall, event, players) {
    [this.turn, this.step, this.openBy, this.last] = [event.oya, "draw", null, null];
    this.seats = SEATS.slice(0, players);
    expect(this.seats.includes(this.turn), "the dealer");
    const [last, first] = [wall.length - 1, players === 4 ? 5 : 9];
    this.live = wall.slice(14, last - 13 * players + 1).reverse();
    const dead = players === 4 ? [1, 0, 3, 2, 4, 6, 8, 10, 12] : [1, 0, 3, 2, 5, 4, 7, 6];
    this.dead = dead.map((place) => wall[place]);
    const markers = [0, 2, 4, 6, 8].map((step) => first + step);
    this.markers = markers.map((place) => wall[place]);
    this.ura = markers.map((place) => wall[place - 1]);
    [this.isReplacement, this.pons] = [false, []];
    this.hands = row(event.tehais, players).map((tiles, seat) => {
      const place = (seat - this.turn + players) % players;
      const start = last - 4 * place;
      const dealt = [...Array(12).keys()].map((n) => wall[start - 4 * players * (n >> 2) - (n % 4)]);
      expect(isSame(row(tiles), [...dealt, wall[last - 12 * players - place]]), "the deal");
      return [...tiles];
    });
    this.play("dora", event);
  }

  expectTurn(actor, ...steps) {
    expect(actor === this.turn && steps.includes(this.step), "the turn");
  }

  remove(seat, tiles) {
    for (const tile of tiles) {
      expect(this.hands[seat].includes(tile), "a tile");
      this.hands[seat].splice(this.hands[seat].indexOf(tile), 1);
    }
  }

  play(kind, event) {
    const { actor, target, pai, consumed } = event;
    expect(this.step !== "over" || ["hora", "end_kyoku"].includes(kind), "something after the result");
    if (kind === "dora") {
      expect(this.markers.length > 0 && event.dora_marker === this.markers.shift(), "the dora");
    } else if (kind === "tsumo") {
      this.expectTurn(actor, "draw");
      const tiles = this.isReplacement ? this.dead : this.live;
      expect(tiles.length > 0 && pai === tiles.shift(), "the draw");
      this.hands[actor].push(pai);
      [this.step, this.isReplacement, this.openBy, this.last] = ["drawn", false, null, pai];
    } else if (kind === "dahai") {
      this.expectTurn(actor, "drawn", "called");
      const isDrawn = this.step === "drawn" && pai === this.last;
      expect(event.tsumogiri === false || (event.tsumogiri === true && isDrawn), "a tile");
      this.remove(actor, [pai]);
      [this.turn, this.step, this.openBy, this.last] = [(actor + 1) % this.seats.length, "draw", actor, pai];
    } else if (["chi", "pon", "daiminkan"].includes(kind)) {
      const isOpen =
        this.seats.includes(actor) && actor !== this.openBy && this.openBy !== null && target === this.openBy;
      expect(isOpen && (kind !== "chi" || actor === this.turn), "the turn");
      expect(pai === this.last && isMeld(kind, [pai, ...row(consumed)]), "the meld");
      this.remove(actor, consumed);
      if (kind === "pon") this.pons.push([actor, ...[pai, ...consumed].sort()].join());
      this.isReplacement = kind === "daiminkan";
      [this.turn, this.step, this.openBy] = [actor, this.isReplacement ? "draw" : "called", null];
    } else if (kind === "ankan" || kind === "kakan") {
      this.expectTurn(actor, "drawn");
      const tile = kind === "kakan" ? pai : row(consumed)[0];
      expect(isMeld(kind, [tile, ...row(consumed)]), "the meld");
      const pon = this.pons.indexOf([actor, ...[...consumed].sort()].join());
      expect(kind === "ankan" || pon >= 0, "the kan");
      if (kind === "kakan") this.pons.splice(pon, 1);
      this.remove(actor, kind === "kakan" ? [pai] : consumed);
      [this.step, this.isReplacement, this.openBy, this.last] = ["draw", true, actor, tile];
    } else if (kind === "kita") {
      this.expectTurn(actor, "drawn");
      expect(pai === "N", "the north");
      this.remove(actor, [pai]);
      [this.step, this.isReplacement, this.openBy, this.last] = ["draw", true, actor, pai];
    } else if (kind === "hora") {
      const isTsumo = actor === target;
      if (isTsumo) this.expectTurn(actor, "drawn");
      const isOpen = this.openBy !== null && target === this.openBy && ["draw", "over"].includes(this.step);
      expect(this.seats.includes(actor) && (isTsumo || isOpen), "the turn");
      expect(pai === this.last, "the tile");
      expect(isSame([...(isTsumo ? [pai] : []), ...row(event.hora_tehais)], this.hands[actor]), "the hand");
      const ura = row(event.uradora_markers);
      expect(same(ura, this.ura.slice(0, ura.length)), "the ura dora");
      this.step = "over";
    } else if (kind === "ryukyoku") {
      for (const [seat, tiles] of row(event.tehais, this.seats.length).entries()) {
        const isHidden = row(tiles).every((tile) => tile === "?");
        expect(isHidden || isSame(tiles, this.hands[seat]), "a hand");
      }
      [this.step, this.openBy] = ["over", null];
    } else if (kind === "end_kyoku") {
      expect(this.step === "over", "the hand has no result");
      this.step = "closed";
    } else {
      expect(kind !== "start_kyoku" && kind !== "end_game", "the record stops inside a hand");
      expect((kind === "reach" || kind === "reach_accepted") && this.seats.includes(actor), "not an event of a hand");
    }
  }
}

/** Does every tile come from the walls of this seed? Returns the hands, and whether the game ended. */
function checkTiles(events, rules, seed) {
  let [hand, hands, isOver] = [null, 0, false];
  for (const event of events) {
    const { type } = event;
    expect(!isOver, "something follows the end of the game");
    if (hand !== null && hand.step !== "closed") {
      hand.play(type, event);
    } else if (type === "start_kyoku") {
      hand = new Hand(shuffled(rules, seed, hands), event, playersOf(rules));
      hands += 1;
    } else {
      const isStart = hand === null && ["start_game", "hello", "none"].includes(type);
      expect(isStart || type === "end_game", "something else between two hands");
      isOver = type === "end_game";
    }
  }
  expect(hand.step === "closed", "the record stops inside a hand");
  return { hands, isOver };
}

try {
  const { events, house } = readRecord(process.argv[2]);
  const { draws, signer } = checkProof(house);
  const { hands, isOver } = checkTiles(events, house.rules, house.seed);
  const pages = draws.at(-1).contributions.filter(Boolean).length;
  const end = isOver ? "the game ended" : "the end of the game is not in the record";
  console.log(`FITS: ${pages} pages took part, draw ${draws.length}, ${signer}; hands: ${hands}, ${end}`);
} catch (error) {
  fail(`DAMAGED: ${error.message}`);
}
