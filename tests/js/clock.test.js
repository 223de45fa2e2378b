import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { display } from "../../static/js/table/display.js";
import { INITIAL_STATE, applyEvent, applySync, turnTime } from "../../static/js/table/page_state.js";
import { remainingShare } from "../../static/js/table/time.js";
import { hand, tiles, view } from "./kit.js";

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

describe("the time of the seat on turn", () => {
  const timeControl = { base_ms: 5_000, bank_ms: 20_000, lead_ms: 400, deal_ms: 2_500 };
  const requests = { paused: false, unlimited: false };
  const claims = view({ phase: "claims", turn: 0, claimed: "9m" });
  const waiting = { ...INITIAL_STATE, view: claims, you: 0, timeControl, requests };
  const draw = { type: "tsumo", actor: 1, pai: "?", rinshan: false };
  const discard = { type: "dahai", actor: 1, pai: "5m", tsumogiri: true };

  it("begins with a draw or call, and ends with a discard", () => {
    assert.equal(turnTime(waiting), null);
    const drawn = applyEvent(waiting, draw, 90_000);
    assert.deepEqual(turnTime(drawn), { at: 90_400, baseMs: 5_000 });
    const discarded = applyEvent(drawn, discard, 92_000);
    assert.equal(turnTime(discarded), null);
    const call = { type: "pon", actor: 3, target: 1, pai: "5m", consumed: ["5m", "5m"] };
    assert.deepEqual(turnTime(applyEvent(discarded, call, 93_000)), { at: 93_400, baseMs: 5_000 });
  });

  it("begins later after a deal", () => {
    const deal = { type: "start_kyoku", bakaze: "E", kyoku: 1, honba: 0, kyotaku: 0, oya: 1, dora_marker: "1p" };
    const dealt = applyEvent(waiting, { ...deal, scores: claims.scores, tehais: [[], [], [], []] }, 50_000);
    assert.equal(turnTime(applyEvent(dealt, draw, 50_000)).at, 52_500);
  });

  it("does not run while a kan can be robbed, and begins anew with its replacement tile", () => {
    const onTurn = applyEvent(waiting, draw, 90_000);
    const kan = applyEvent(onTurn, { type: "ankan", actor: 1, consumed: ["1m", "1m", "1m", "1m"] }, 91_000);
    assert.equal(turnTime(kan), null);
    assert.equal(turnTime(applyEvent(kan, { ...draw, rinshan: true }, 91_600)).at, 92_000);
  });

  it("is the same in riichi whether or not there is a choice, and whoever is asked", () => {
    const inRiichi = (own, legal) => {
      const hands = [hand({ tiles: tiles(own), riichi: "accepted" }), hand(), hand(), hand()];
      const state = { ...waiting, view: { ...claims, turn: 3, hands }, legal };
      return turnTime(applyEvent(state, { ...draw, actor: 0, pai: "4m" }, 90_000));
    };
    const kan = { type: "ankan", consumed: ["4m", "4m", "4m", "4m"] };
    assert.deepEqual(inRiichi("4m 4m 4m 1s", [kan]), inRiichi("1m 2m 3m 1s", []));
  });

  it("runs without a clock nowhere, nor during a pause", () => {
    const drawn = applyEvent(waiting, draw, 90_000);
    assert.equal(turnTime({ ...drawn, requests: { ...requests, unlimited: true } }), null);
    assert.equal(turnTime({ ...drawn, requests: { ...requests, paused: true } }), null);
  });

  it("is that of the server after a sync", () => {
    const frame = { view: view({ turn: 2, drawn: "?" }), you: 0, q: 4, legal: [], clock: null, requests };
    const state = applySync(INITIAL_STATE, { ...frame, time_control: timeControl, turn_at: 70_000, absent: [] });
    assert.deepEqual(turnTime(state), { at: 70_000, baseMs: 5_000 });
    const shown = display(state.view, 0, [], turnTime(state)).seats.map(({ time }) => time !== null);
    assert.deepEqual(shown, [false, false, true, false]);
    assert.equal(turnTime({ ...state, turnAt: 0 }), null);
  });
});
