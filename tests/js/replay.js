/**
 * Replays games that the engine has played: the reducer has to come to the view that the
 * server would send, after every single event. What the automatics would do is checked on the
 * way.
 *
 *     node tests/js/replay.js FILE...
 *
 * `tests/js/test_replay.py` plays the games and runs this.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { reduce, withFuriten } from "../../static/js/table/reduce.js";
import { AutosSeen } from "./automatics_shown.js";

let events = 0;
const autos = new AutosSeen();
for (const file of process.argv.slice(2)) {
  const { you, start, frames } = JSON.parse(readFileSync(file, "utf8"));
  let view = start;
  for (const frame of frames) {
    for (const [at, step] of frame.entries()) {
      events += 1;
      const before = view;
      view = reduce(view, step.event);
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
      if (step.legal !== undefined) autos.look(step.view, step.legal);
    }
  }
}
assert.ok(events > 0, "nothing to replay");
autos.checkAllWasSeen();
console.log(`${events} events replayed`);
