// Check that pages and server fixed the seed of a game, and a receipt of it if there is one:
// node check_seed.mjs RECORD.jsonl [RECEIPT.json]
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

/** Did the server tell the page of the receipt the same? */
function checkReceipt(receipt, table, draws) {
  const { seat, contribution: given } = receipt;
  const isTheServers = receipt.version === 1 || (bindingOf(receipt) === receipt.binding && isSigned(receipt));
  if (!isTheServers) fail("RECEIPT: the server has not signed it");
  const isOwn = !given || sha(bytes(given)).toString("hex") === receipt.commitments[seat];
  if (!isOwn) fail("RECEIPT: its bytes do not fit its commitment");
  const drawn = (receipt.table === table && draws[receipt.draw - 1]) || {};
  const isTold = ["binding", "commitments"].every((name) => same(drawn[name], receipt[name]));
  expect(isTold, "the server told the page of the receipt something else");
  expect(
    !given || drawn.contributions[seat] === given,
    `the record lacks the bytes of seat ${seat}, which the receipt has`,
  );
}

try {
  const { house } = readRecord(process.argv[2]);
  const { draws, signer } = checkProof(house);
  if (process.argv[3]) checkReceipt(JSON.parse(readFileSync(process.argv[3], "utf8")), house.proof.table, draws);
  console.log(`FITS: draw ${draws.length} fixed the seed, ${signer}`);
} catch (error) {
  fail(`DAMAGED: ${error.message}`);
}
