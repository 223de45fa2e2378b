import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { mayReload } from "../../static/js/net/reload.js";
import { INITIAL_STATE, applyEvents, applyEvent, applySync } from "../../static/js/table/page_state.js";
import { fullClock, fullEvent, fullLegal } from "../../static/js/table/short_forms.js";
import { hand, tiles, view } from "./kit.js";

/** @param {object} [change] */
const onTurn = (change = {}) =>
  view({ hands: [hand({ tiles: tiles("1m 1m 5m 5mr N") }), hand(), hand(), hand()], drawn: "N", ...change });

/** @param {string} text tiles, with `*` after a drawn one @param {string} [type] */
const each = (text, type = "dahai") =>
  tiles(text).map((pai) => ({ type, pai: pai.replace("*", ""), tsumogiri: pai.endsWith("*") }));

describe("the short form of legal actions", () => {
  it("is a discard of each tile, the drawn one last", () => {
    assert.deepEqual(fullLegal([{ type: "dahai" }], onTurn(), 0), each("1m 5m 5mr N N*"));
  });

  it("excludes the tiles that it names, also the drawn one", () => {
    const legal = [{ type: "dahai", but: ["5m", "N"] }];
    assert.deepEqual(fullLegal(legal, onTurn(), 0), each("1m 5mr"));
  });

  it("keeps the order of the list", () => {
    const legal = [{ type: "hora" }, { type: "reach", but: ["1m"] }, ...each("N*")];
    const full = [{ type: "hora" }, ...each("5m 5mr N N*", "reach"), ...each("N*")];
    assert.deepEqual(fullLegal(legal, onTurn(), 0), full);
  });

  it("has no drawn tile after a call", () => {
    const legal = fullLegal([{ type: "dahai" }], onTurn({ drawn: null }), 0);
    assert.deepEqual(legal, each("1m 5m 5mr N"));
  });
});

describe("the short form of events", () => {
  it("is of draws and discards", () => {
    assert.deepEqual(fullEvent(["tsumo", 1]), { type: "tsumo", actor: 1, pai: "?", rinshan: false });
    assert.deepEqual(fullEvent(["tsumo", 0, "3s", true]), { type: "tsumo", actor: 0, pai: "3s", rinshan: true });
    assert.deepEqual(fullEvent(["dahai", 2, "P"]), { type: "dahai", actor: 2, pai: "P", tsumogiri: false });
    const dora = { type: "dora", dora_marker: "3p" };
    assert.equal(fullEvent(dora), dora);
  });
});

describe("the short form of a clock", () => {
  const control = { base_ms: 5_000, bank_ms: 20_000 };

  it("is completed by the time control of the table", () => {
    assert.deepEqual(fullClock({ asked_at: 1_000 }, control), {
      asked_at: 1_000,
      base_ms: 5_000,
      bank_ms: 20_000,
      deadline: 26_000,
    });
    assert.equal(fullClock({ asked_at: 1_000, bank_ms: 7_000 }, control).deadline, 13_000);
    assert.equal(fullClock({ asked_at: 1_000, deadline: 16_000 }, control).deadline, 16_000);
    assert.equal(fullClock(null, control), null);
  });
});

describe("the state of the page", () => {
  const frame = {
    t: "sync",
    v: 3,
    seq: 3,
    q: 4,
    now: 0,
    you: 0,
    help: true,
    beginners: true,
    behind_s: 0,
    opens_after: "",
    time_control: { base_ms: 5_000, bank_ms: 20_000 },
    requests: {
      paused: false,
      votes: ["", "", "", ""],
      left: [false, false, false, false],
      notice: "",
      official: "",
      round: null,
    },
    view: onTurn(),
    legal: [{ type: "dahai" }],
    clock: { asked_at: 1_000 },
  };

  it("is the expanded sync", () => {
    const state = applySync(INITIAL_STATE, frame);
    assert.deepEqual(state.legal, each("1m 5m 5mr N N*"));
    assert.equal(state.clock.deadline, 26_000);
    assert.equal(state.hasHelp, true);
    assert.equal(state.hasBeginners, true);
    assert.deepEqual(state.requests, frame.requests);
  });

  it("loses question, clock and furiten unless a frame of events names them", () => {
    const furiten = applyEvents(applySync(INITIAL_STATE, frame), { t: "ev", seq: 3, q: 4, e: [], furiten: true });
    assert.equal(furiten.view.hands[0].furiten, true);
    const discarded = applyEvent(furiten, fullEvent(["dahai", 0, "N", true]));
    const state = applyEvents(discarded, { t: "ev", seq: 4, q: 5, e: [] });
    assert.deepEqual([state.q, state.legal, state.clock], [5, [], null]);
    assert.equal(state.view.hands[0].furiten, false);
    assert.equal(state.view.claimed, "N");
  });

  it("is empty before the first sync", () => {
    const state = applyEvents(applyEvent(INITIAL_STATE, fullEvent(["tsumo", 1])), { t: "ev", seq: 1, q: 1, e: [] });
    assert.equal(state, INITIAL_STATE);
  });
});

describe("a page of another version", () => {
  /** @param {Map<string, string>} kept */
  const storeOf = (kept) => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  });

  it("reloads itself once", () => {
    const store = storeOf(new Map());
    assert.equal(mayReload(2, store), true);
    assert.equal(mayReload(2, store), false);
    assert.equal(mayReload(3, store), true, "a later version has not been tried");
  });

  it("does not reload itself without a store", () => {
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error("full");
      },
    };
    assert.equal(mayReload(2, full), false);
    assert.equal(mayReload(2, null), false);
  });
});
