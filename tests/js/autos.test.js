import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Autopilot } from "../../static/js/input/autopilot.js";
import { automatic as chosen } from "../../static/js/table/autos.js";
import { FakeSurroundings, tiles, view } from "./kit.js";

/** What is chosen for a hand in which the tiles do not matter. */
const automatic = (view, legal, autos, held = []) => chosen(view, legal, autos, held);

const OFF = { sort: true, win: false, no_calls: false, tsumogiri: false, kita: false };
const ALL = { sort: true, win: true, no_calls: true, tsumogiri: true, kita: true };
const turn = view({ phase: "turn", drawn: "7s" });
const claims = view({ phase: "claims", claimed: "4p", turn: 3 });

const win = { type: "hora" };
const pass = { type: "none" };
const pon = { type: "pon", consumed: ["4p", "4p"] };
const chi = { type: "chi", consumed: ["5p", "6p"] };
const kan = { type: "daiminkan", consumed: ["4p", "4p", "4p"] };
const kept = { type: "dahai", pai: "7s", tsumogiri: false };
const thrown = { type: "dahai", pai: "7s", tsumogiri: true };
const riichi = { type: "reach", pai: "7s", tsumogiri: true };
const ankan = { type: "ankan", consumed: ["E", "E", "E", "E"] };
const kakan = { type: "kakan", pai: "E" };
const kyushu = { type: "ryukyoku" };

describe("the automatics", () => {
  it("do nothing while they are off", () => {
    assert.equal(automatic(turn, [thrown], OFF), null);
    assert.equal(automatic(claims, [pon, pass], OFF), null);
    assert.equal(automatic(turn, [win, thrown], OFF), null);
  });

  it("do nothing without a question", () => {
    assert.equal(automatic(turn, [], ALL), null);
    assert.equal(automatic(claims, [], ALL), null);
  });

  it("never confirm a result or show a hand", () => {
    assert.equal(automatic(view({ phase: "result" }), [{ type: "confirm" }], ALL), null);
    assert.equal(automatic(view({ phase: "showing" }), [{ type: "tenpai" }, pass], ALL), null);
  });
});

describe("win", () => {
  it("takes a tsumo and a ron, whatever else could be done", () => {
    const only = { ...OFF, win: true };
    assert.equal(automatic(turn, [win, riichi, ankan, thrown], only), win);
    assert.equal(automatic(claims, [win, pon, pass], only), win);
    assert.equal(automatic(claims, [win, pon, pass], ALL), win);
  });

  it("and the other automatics are off where false declarations are allowed", () => {
    const rules = { name: "x", length: "east", false_declarations: true };
    assert.equal(automatic({ ...turn, rules }, [win, riichi, thrown], ALL), null);
    assert.equal(automatic({ ...claims, rules }, [win, pon, pass], ALL), null);
    assert.equal(automatic({ ...turn, rules }, [thrown], ALL), null);
  });
});

describe("no calls", () => {
  const only = { ...OFF, no_calls: true, tsumogiri: true };

  it("passes on every call of an open tile", () => {
    assert.equal(automatic(claims, [pon, pass], only), pass);
    assert.equal(automatic(claims, [chi, chi, pon, kan, pass], only), pass);
  });

  it("never passes on a win", () => {
    assert.equal(automatic(claims, [win, pon, pass], only), null);
    assert.equal(automatic(claims, [win, pass], only), null);
    assert.equal(automatic({ ...claims, robbing: true }, [win, pass], only), null);
  });

  it("does nothing with unknown actions", () =>
    assert.equal(automatic(claims, [{ type: "something_new" }, pass], only), null));

  it("neither declares nor hides a kan on the own turn", () =>
    assert.equal(automatic(turn, [ankan, kept, thrown], only), null));
});

describe("tsumogiri", () => {
  const only = { ...OFF, tsumogiri: true, no_calls: true };

  it("discards the drawn tile, not an equal one from the hand", () =>
    assert.equal(automatic(turn, [kept, thrown], only), thrown));

  for (const [what, choice] of Object.entries({ win, riichi, ankan, kakan, kyushu })) {
    it(`does nothing while ${what} can be chosen`, () =>
      assert.equal(automatic(turn, [choice, kept, thrown], only), null));
  }

  it("discards in riichi, but asks about a kan", () => {
    assert.equal(automatic(turn, [thrown], only), thrown);
    assert.equal(automatic(turn, [ankan, thrown], only), null);
  });

  it("does nothing after a call", () => assert.equal(automatic({ ...turn, drawn: null }, [kept], only), null));

  it("does nothing if the drawn tile cannot be discarded", () => assert.equal(automatic(turn, [kept], only), null));
});

describe("kita", () => {
  const only = { ...OFF, kita: true };
  const kita = { type: "kita" };
  const hand = tiles("1m 9m 1p 1p 2p 3p 4p 5pr 6p 7s 8s N N");

  it("sets a north aside as soon as it may", () => {
    assert.equal(automatic(turn, [kita, riichi, ankan, kept, thrown], only, hand), kita);
    assert.equal(automatic(turn, [kept, thrown], only, hand), null);
    assert.equal(automatic(turn, [kita, kept, thrown], OFF, hand), null);
  });

  it("sets a drawn north aside in riichi, too", () =>
    assert.equal(automatic({ ...turn, drawn: "N" }, [kita, thrown], { ...only, tsumogiri: true }, hand), kita));

  it("leaves a win to the reader, or takes it", () => {
    assert.equal(automatic(turn, [win, kita, thrown], only, hand), null);
    assert.equal(automatic(turn, [win, kita, thrown], { ...only, win: true }, hand), win);
  });

  it("keeps the norths of a hand with nine kinds of terminals and honours", () => {
    const eight = tiles("1m 1m 9m 1p 9p 1s 9s 9s E N 5pr 5p 2s 3s");
    const nine = tiles("1m 9m 1p 9p 1s 9s E S N N 5pr 5p 2s 3s");
    assert.equal(automatic(turn, [kita, kyushu, thrown], only, eight), kita);
    assert.equal(automatic(turn, [kita, kyushu, thrown], only, nine), null);
    assert.equal(automatic(turn, [kita, thrown], only, nine), null);
  });
});

describe("the autopilot", () => {
  /** @param {boolean} [isTaken] whether answers are sent */
  const piloted = (isTaken = true) => {
    const around = new FakeSurroundings();
    const answered = [];
    const pilot = new Autopilot({
      answer: (q, action) => {
        answered.push([q, action.type]);
        return isTaken;
      },
      later: around.later,
      cancel: around.cancel,
    });
    return { around, answered, pilot };
  };

  it("acts once, after a moment", () => {
    const { around, answered, pilot } = piloted();
    assert.ok(pilot.setPlan({ q: 7, action: thrown }));
    around.pass(200);
    assert.deepEqual(answered, []);
    assert.ok(pilot.setPlan({ q: 7, action: thrown }), "being told again does not put it off");
    around.pass(400);
    assert.deepEqual(answered, [[7, "dahai"]]);
    assert.ok(!pilot.setPlan({ q: 7, action: thrown }), "what was refused is left to the reader");
    around.pass(5000);
    assert.equal(answered.length, 1);
    assert.ok(pilot.setPlan({ q: 8, action: thrown }));
  });

  it("tries again after an answer that was not sent", () => {
    const { around, answered, pilot } = piloted(false);
    pilot.setPlan({ q: 7, action: pass });
    around.pass(400);
    assert.ok(pilot.setPlan({ q: 7, action: pass }));
    around.pass(400);
    assert.equal(answered.length, 2);
  });

  it("does nothing if the question has changed", () => {
    const { around, answered, pilot } = piloted();
    pilot.setPlan({ q: 7, action: thrown });
    around.pass(300);
    pilot.setPlan({ q: 9, action: pass });
    around.pass(300);
    assert.deepEqual(answered, []);
    around.pass(200);
    assert.deepEqual(answered, [[9, "none"]]);
  });

  it("waits while the reader is choosing", () => {
    const { around, answered, pilot } = piloted();
    pilot.setPlan({ q: 7, action: thrown });
    around.pass(300);
    pilot.setPlan(null);
    around.pass(5000);
    assert.deepEqual(answered, []);
    pilot.setPlan({ q: 7, action: thrown });
    around.pass(700);
    assert.deepEqual(answered, [[7, "dahai"]]);
  });
});
