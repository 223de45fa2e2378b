/**
 * Steps through replays forward, back and to random positions; the view has to be the engine's.
 *
 *     node tests/js/replay_steps.js FILE...
 *
 * `tests/js/test_replay_steps.py` plays the games and runs this.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { Steps } from "../../static/js/replay/steps.js";

/** JSON with sorted keys. */
function text(value) {
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${text(value[key])}`);
  return `{${parts.join(",")}}`;
}

const hashes = new WeakMap();
function hash(view) {
  if (!hashes.has(view)) hashes.set(view, createHash("sha1").update(text(view)).digest("hex"));
  return hashes.get(view);
}

let compared = 0;
let seed = 1;
for (const file of process.argv.slice(2)) {
  const { script, states } = JSON.parse(readFileSync(file, "utf8"));
  const steps = new Steps(script);
  assert.equal(script.events.length, states.length);
  const check = (at) => {
    const view = steps.view(at);
    compared += 1;
    if (hash(view) === states[at]) return;
    console.error(`${file}: position ${at}, after ${JSON.stringify(script.events[at])}`);
    console.error(text(view));
    process.exit(1);
  };
  for (let at = steps.first; at <= steps.last; at += 1) check(at);
  for (let at = steps.last; at >= steps.first; at -= 1) check(at);
  for (let count = 0; count < 200; count += 1) {
    seed = (seed * 48271) % 2147483647;
    check(steps.first + (seed % (steps.last - steps.first + 1)));
  }
  // A step forward and back leads to an equal view.
  for (let at = steps.first; at < steps.last; at += 1) {
    const before = hash(steps.view(at));
    steps.view(at + 1);
    assert.equal(hash(steps.view(at)), before);
  }
  // A page that has watched the table has the same views, from whichever event it joined.
  const start = steps.first + (seed % 20);
  const watched = Steps.ofTable();
  for (let at = start; at <= steps.last; at += 1) {
    watched.append(at === start ? null : script.events[at], steps.view(at));
  }
  for (let count = 0; count < 100; count += 1) {
    seed = (seed * 48271) % 2147483647;
    const at = seed % (watched.last + 1);
    compared += 1;
    assert.equal(hash(watched.view(at)), states[start + at], `${file}: watched position ${at}`);
  }
}
assert.ok(compared > 0, "nothing to compare");
console.log(`${compared} states compared`);
