import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { remainingShare } from "../../static/js/table/time.js";

describe("the bar of the clock", () => {
  const clock = { asked_at: 1000, base_ms: 5000, bank_ms: 20000, deadline: 26000 };

  it("shows the time for this decision, then the bank", () => {
    assert.equal(remainingShare(clock, 1000), 1);
    assert.equal(remainingShare(clock, 3500), 0.5);
    assert.equal(remainingShare(clock, 6000), 1);
    assert.equal(remainingShare(clock, 16000), 0.5);
    assert.equal(remainingShare(clock, 26000), 0);
    assert.equal(remainingShare(clock, 99999), 0);
  });

  it("is never more than full", () => assert.equal(remainingShare(clock, 0), 1));

  it("has no bank where none is left", () =>
    assert.equal(remainingShare({ ...clock, bank_ms: 0, deadline: 6000 }, 7000), 0));

  it("stays full where only a deadline counts", () =>
    assert.equal(remainingShare({ ...clock, base_ms: Infinity, bank_ms: 0 }, 20000), 1));
});
