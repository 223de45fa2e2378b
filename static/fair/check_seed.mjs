// Check that pages and server fixed the seed of a game: node check_seed.mjs RECORD.jsonl
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const bytes = (hex) => Buffer.from(hex, "hex");
const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest("hex");
const field = (text) => Buffer.concat([Buffer.from([0, 0, Buffer.byteLength(text) >> 8, Buffer.byteLength(text)]), Buffer.from(text)]);

const { rules, proof, seed } = JSON.parse(readFileSync(process.argv[2], "utf8").split("\n")[0]).house;
const say = (text, status) => { console[status ? "error" : "log"](text); process.exit(status); };
if (!proof) say("NO PROOF in this record", 1);
const fields = [proof.table, ...proof.seats, proof.rules].map(field);
let fits = Object.entries(JSON.parse(proof.rules)).every(([name, value]) => JSON.stringify(rules[name]) === JSON.stringify(value));
for (const [at, { secret, binding, commitments, contributions }] of proof.draws.entries()) {
  fits &&= sha("riichi wall binding 1", ...fields, bytes(secret)) === binding;
  fits &&= contributions.every((given, seat) => !given || sha(bytes(given)) === commitments[seat]);
  fits &&= commitments.some((hash, seat) => hash && !contributions[seat]) === at + 1 < proof.draws.length;
}
const { secret, contributions } = proof.draws.at(-1);
const parts = contributions.map((given) => (given ? bytes(`01${given}`) : bytes("00")));
fits &&= contributions.some(Boolean) && bytes(secret).length === 32 && parts.every(({ length }) => [1, 33].includes(length));
fits &&= sha("riichi wall seed 1", fields[0], bytes(secret), ...parts) === seed;
if (!fits) say("DOES NOT FIT", 1);
say(`FITS: draw ${proof.draws.length} fixed the seed`, 0);
