/**
 * Replays games that the engine has played. After every event, the reducer has to come to the
 * view that the server would send. The short forms of events and of legal actions have
 * to be written out to what they stand for. What the automatics would do is checked on the way.
 *
 *     node tests/js/replay.js FILE...
 *
 * `tests/js/test_replay.py` plays the games and runs this.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { reduce, withFuriten } from "../../static/js/table/reduce.js";
import { fullEvent, fullLegal } from "../../static/js/table/short_forms.js";
import { AutosSeen } from "./automatics_shown.js";

let events = 0;
/** The number of lists of discards and riichi by the form in which they were sent. */
const lists = { any: 0, but: 0, each: 0 };
const autos = new AutosSeen();
for (const file of process.argv.slice(2)) {
  const { you, start, frames } = JSON.parse(readFileSync(file, "utf8"));
  let view = start;
  for (const frame of frames) {
    for (const [at, step] of frame.entries()) {
      events += 1;
      const before = view;
      const event = fullEvent(step.sent);
      assert.deepStrictEqual(event, step.event);
      view = reduce(view, event);
      if (you !== null) view = withFuriten(view, you, step.view.hands[you].furiten);
      try {
        assert.deepStrictEqual(view, step.view);
      } catch (difference) {
        console.error(`${file}: event ${events} (${at + 1} of its frame)`);
        console.error(JSON.stringify(step.event));
        console.error(JSON.stringify(before));
        console.error(difference.message);
        process.exit(1);
      }
      if (step.legal === undefined) continue;
      assert.deepStrictEqual(fullLegal(step.sent_legal, step.view, you), step.legal);
      for (const item of step.sent_legal) {
        if (item.type !== "dahai" && item.type !== "reach") continue;
        lists[item.but ? "but" : item.pai ? "each" : "any"] += 1;
      }
      autos.look(step.view, step.legal);
    }
  }
}
assert.ok(events > 0, "nothing to replay");
for (const [form, count] of Object.entries(lists)) assert.ok(count > 0, `no list was sent as: ${form}`);
autos.checkAllWasSeen();
console.log(`${events} events replayed`);
