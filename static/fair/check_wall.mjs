// Check the walls of a game without its site: node check_wall.mjs RECORD.jsonl
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const fail = (what) => { console.error(what); process.exit(1); };
const expect = (fits, what) => fits || fail(`DOES NOT FIT: ${what}`);
const bytes = (hex) => Buffer.from(hex, "hex");
const number4 = (n) => Buffer.from([n >>> 24, n >>> 16, n >>> 8, n]);
const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest();
const field = (text) => Buffer.concat([number4(Buffer.byteLength(text)), Buffer.from(text)]);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const events = readFileSync(process.argv[2], "utf8").trim().split("\n").map((line) => JSON.parse(line));
const { rules, proof, seed } = events[0].house;
if (!proof) fail("NO PROOF in this record");
const bound = Object.entries(JSON.parse(proof.rules));
expect(proof.version === 1 && bound.every(([name, value]) => same(rules[name], value)), "the rules");
const fields = [proof.table, ...proof.seats, proof.rules].map(field);
const silent = new Set();
for (const [at, draw] of proof.draws.entries()) { // Was the seed bound before it could be known?
  const { secret, binding, commitments, contributions } = draw;
  const values = [secret, binding, ...commitments, ...contributions];
  expect(values.every((value) => /^([0-9a-f]{64})?$/.test(value)), `a value of draw ${at + 1}`);
  const bindingIs = sha("riichi wall binding 1", ...fields, bytes(secret)).toString("hex");
  expect(bindingIs === binding, `the hash of draw ${at + 1}`);
  expect(![...silent].some((seat) => commitments[seat]), `draw ${at + 1} has a page that was left out`);
  for (const [seat, given] of contributions.entries()) {
    const fits = !given || sha(bytes(given)).toString("hex") === commitments[seat];
    expect(fits, `draw ${at + 1}: the bytes of seat ${seat}`);
    if (commitments[seat] && !given) silent.add(seat);
  }
  const isVoid = commitments.some((one, seat) => one && !contributions[seat]);
  expect(isVoid === at + 1 < proof.draws.length, `draw ${at + 1} is not the one that counts`);
}
const { secret, contributions } = proof.draws.at(-1);
expect(contributions.some(Boolean), "no page took part");
const pages = contributions.map((given) => (given ? bytes(`01${given}`) : bytes("00")));
expect(seed === sha("riichi wall seed 1", fields[0], bytes(secret), ...pages).toString("hex"), "the seed");

const names = [..."mps"].flatMap((suit) => [..."123456789"].map((rank) => rank + suit)).concat([..."ESWNPFC"]);
const reds = { "5m": rules.red_fives[0], "5p": rules.red_fives[1], "5s": rules.red_fives[2] };
const tiles = names.flatMap((name) => [0, 1, 2, 3].map((copy) => (copy < 4 - (reds[name] ?? 0) ? name : `${name}r`)));
function* stream(hand) {
  for (let block = 0; ; block += 1) {
    const data = sha("riichi wall 1", bytes(seed), number4(hand), number4(block));
    for (let at = 0; at < 32; at += 2) yield data.readUInt16BE(at);
  }
}
function shuffled(hand) {
  const [wall, numbers] = [[...tiles], stream(hand)];
  for (let i = 135; i > 0; i -= 1) {
    let n = numbers.next().value;
    while (n >= 65536 - (65536 % (i + 1))) n = numbers.next().value;
    [wall[i], wall[n % (i + 1)]] = [wall[n % (i + 1)], wall[i]];
  }
  return wall;
}
let [hand, wall, hands, pons, live, dead, markers, isKan, last] = [-1];
for (const [at, event] of events.entries()) { // Does every tile come from the walls of this seed?
  const { type, pai, actor, consumed = [] } = event;
  const fits = (what, one, other) => expect(same(one, other), `${what}, line ${at + 1}`);
  if (type === "start_kyoku") {
    wall = shuffled((hand += 1));
    hands = event.tehais.map((row) => [...row]);
    live = wall.slice(14, 84);
    dead = [1, 0, 3, 2, 4, 6, 8, 10, 12].map((place) => wall[place]);
    markers = [5, 7, 9, 11, 13].map((place) => wall[place]);
    for (const [seat, row] of hands.entries()) {
      const place = (seat - event.oya + 4) % 4;
      const dealt = [...Array(12).keys()].map((n) => wall[135 - 16 * (n >> 2) - 4 * place - (n % 4)]);
      fits("the deal", [...row].sort(), [...dealt, wall[87 - place]].sort());
    }
    [pons, isKan] = [[], false];
  }
  if (type === "tsumo") {
    fits("the draw", pai, isKan ? dead.shift() : live.pop());
    hands[actor].push(pai);
  }
  if ("dora_marker" in event) fits("the dora", event.dora_marker, markers.shift());
  for (const tile of ["dahai", "kakan"].includes(type) ? [pai] : consumed) {
    fits("a tile", hands[actor].includes(tile), true);
    hands[actor].splice(hands[actor].indexOf(tile), 1);
  }
  if (type === "pon") pons.push([pai, ...consumed].sort().join());
  if (type === "kakan") fits("the kan", pons.includes([...consumed].sort().join()), true);
  const isLast = ["chi", "pon", "daiminkan", "hora"].includes(type) || event.tsumogiri;
  if (isLast) fits("the tile", pai, last);
  if (type === "hora") {
    const hidden = [...(actor === event.target ? [pai] : []), ...event.hora_tehais];
    fits("the hand", hidden.sort(), [...hands[actor]].sort());
    fits("the ura dora", event.uradora_markers, [4, 6, 8, 10, 12].map((place) => wall[place]).slice(0, event.uradora_markers.length));
  }
  for (const [seat, row] of type === "ryukyoku" ? event.tehais.entries() : []) {
    if (row.some((tile) => tile !== "?")) fits("a hand", [...row].sort(), [...hands[seat]].sort());
  }
  isKan = type.endsWith("kan") || (isKan && type !== "tsumo");
  last = pai ?? consumed[0] ?? last;
}
console.log(`FITS: ${contributions.filter(Boolean).length} pages took part, draw ${proof.draws.length}, ${hand + 1} hands`);
