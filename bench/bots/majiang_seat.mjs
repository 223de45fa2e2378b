// A seat for the AI `majiang-ai`, which reads and writes another notation than mjai: a program of the style
// mjai.app for `python -m bench.bots compare` (bench/README.md has the command).
//
//     npm install --no-save @kobalab/majiang-ai@1.0.13
//     node bench/bots/majiang_seat.mjs SEAT
//
// A line on stdin is a list of events, and each line gets one answer. Scores, yaku and furiten follow the rules
// of Tenhou, with or without red fives. Own words of the package: zimo is a draw, dapai a discard, fulou a call,
// gang a kan on the own turn, kaigang a new dora indicator, hule a win, daopai a declared draw.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url); // finds packages in NODE_PATH, too
const Player = require("@kobalab/majiang-ai");
const { rule } = require("@kobalab/majiang-core");

const HONOURS = "ESWNPFC";
const WINDS = "ESW";
const CALL_MARKS = ["", "+", "=", "-"]; // of a tile from the next seat, the one across, the one before
const seat = Number(process.argv[2]);
const player = new Player();

let dealer = 0;
let afterKan = false;
let inRiichi = false; // the next discard declares riichi
let riichiDiscard = null; // the own discard after `reach`
const pons = new Map(); // of this hand, by kind of tile as in mjai

/** "5mr" as "m0", "C" as "z7". */
function toPackage(tile) {
  const honour = HONOURS.indexOf(tile);
  if (honour >= 0) return `z${honour + 1}`;
  return tile[1] + (tile.endsWith("r") ? "0" : tile[0]);
}

/** "m0" as "5mr", "z7" as "C". */
function toMjai(tile) {
  const [suit, digit] = tile;
  if (suit === "z") return HONOURS[digit - 1];
  return digit === "0" ? `5${suit}r` : digit + suit;
}

/** The wind of a seat in this hand, from 0. */
const windOf = (other) => (other - dealer + 4) % 4;

/** The digits of tiles of one suit as one text, a red five after the plain ones. */
const digits = (tiles) =>
  tiles
    .map((tile) => toPackage(tile)[1])
    .sort()
    .reverse()
    .join("");

const isRun = (consumed) => new Set(consumed.map((tile) => tile.slice(0, 2))).size > 1;
const rankOf = (digit) => Number(digit[0]) || 5;

/** A call as the package writes it: a mark follows the tile that was called. */
function calledSet({ actor, target, pai, consumed }) {
  const [suit, digit] = toPackage(pai);
  const called = digit + CALL_MARKS[(target - actor + 4) % 4];
  if (!isRun(consumed)) return suit + digits(consumed) + called;
  const run = [called, ...digits(consumed)].sort((one, other) => rankOf(one) - rankOf(other));
  return suit + run.join("");
}

function dealMessage(event) {
  dealer = event.oya;
  afterKan = inRiichi = false;
  pons.clear();
  const seats = [0, 1, 2, 3].map((wind) => (dealer + wind) % 4);
  return {
    qipai: {
      zhuangfeng: WINDS.indexOf(event.bakaze),
      jushu: event.kyoku - 1,
      changbang: event.honba,
      lizhibang: event.kyotaku,
      defen: seats.map((each) => event.scores[each]),
      baopai: toPackage(event.dora_marker),
      shoupai: seats.map((each) => (each === seat ? event.tehais[seat].map(toPackage).join("") : "")),
    },
  };
}

function startMessage(event) {
  const red = event.aka_flag === false ? 0 : 1;
  const rules = rule({ 赤牌: { m: red, p: red, s: red }, 場数: event.kyoku_first === 4 ? 1 : 2 });
  return { kaiju: { id: seat, rule: rules, title: "", player: event.names, qijia: 0 } };
}

/** The message of the package for an event; none for results, because the next deal tells the scores. */
function messageOf(event) {
  const l = windOf(event.actor);
  switch (event.type) {
    case "start_game":
      return startMessage(event);
    case "start_kyoku":
      return dealMessage(event);
    case "tsumo": {
      const draw = { l, p: event.actor === seat ? toPackage(event.pai) : "" };
      const message = afterKan ? { gangzimo: draw } : { zimo: draw };
      afterKan = false;
      return message;
    }
    case "reach":
      inRiichi = true;
      return null;
    case "dahai": {
      const p = toPackage(event.pai) + (event.tsumogiri ? "_" : "") + (inRiichi ? "*" : "");
      inRiichi = false;
      return { dapai: { l, p } };
    }
    case "chi":
    case "pon":
    case "daiminkan": {
      const m = calledSet(event);
      if (event.type === "pon") pons.set(event.pai.slice(0, 2), m);
      afterKan = event.type === "daiminkan";
      return { fulou: { l, m } };
    }
    case "ankan":
      afterKan = true;
      return { gang: { l, m: toPackage(event.consumed[0])[0] + digits(event.consumed) } };
    case "kakan":
      afterKan = true;
      return { gang: { l, m: pons.get(event.pai.slice(0, 2)) + toPackage(event.pai)[1] } };
    case "dora":
      return { kaigang: { baopai: toPackage(event.dora_marker) } };
    default:
      return null;
  }
}

/** Tell the player an event, and return its reply. */
function tell(event) {
  const message = messageOf(event);
  let reply;
  if (message)
    player.action(message, (answer) => {
      reply = answer;
    });
  return reply ?? {};
}

function discard(tile) {
  return { type: "dahai", actor: seat, pai: toMjai(tile), tsumogiri: tile[2] === "_" };
}

function call(set, last) {
  const tiles = set.match(/\d/g).map((digit) => toMjai(set[0] + digit));
  const at = set.replace(/[+=-].*/, "").length - 2;
  const [pai] = tiles.splice(at, 1);
  const type = isRun(tiles) ? "chi" : tiles.length === 3 ? "daiminkan" : "pon";
  return { type, actor: seat, target: last.actor, pai, consumed: tiles };
}

function kan(set) {
  const tiles = set.match(/\d/g).map((digit) => toMjai(set[0] + digit));
  if (!/[+=-]/.test(set)) return { type: "ankan", actor: seat, consumed: tiles };
  return { type: "kakan", actor: seat, pai: tiles[3], consumed: tiles.slice(0, 3) };
}

/** The answer in mjai for a reply to the event `last`. */
function answerOf(reply, last) {
  if (last.type === "reach" && last.actor === seat) return discard(riichiDiscard);
  if (reply.hule) return { type: "hora", actor: seat, target: last.actor, pai: last.pai };
  if (reply.daopai) return { type: "ryukyoku", actor: seat };
  if (reply.gang) return kan(reply.gang);
  if (reply.fulou) return call(reply.fulou, last);
  if (reply.dapai?.endsWith("*")) {
    riichiDiscard = reply.dapai;
    return { type: "reach", actor: seat };
  }
  return reply.dapai ? discard(reply.dapai) : { type: "none" };
}

for await (const line of createInterface({ input: process.stdin })) {
  const events = JSON.parse(line);
  // The indicators at the end are seen before the question that the event in front of them asks.
  const asking = Math.max(
    events.findLastIndex((event) => event.type !== "dora"),
    0,
  );
  const [last] = events.splice(asking, 1);
  for (const event of events) tell(event);
  process.stdout.write(`${JSON.stringify(answerOf(tell(last), last))}\n`);
}
