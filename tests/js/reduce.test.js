import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { reduce, withFuriten } from "../../static/js/table/reduce.js";
import { hand, river, tiles, view } from "./kit.js";

/** @param {object} start @param {...object} events */
const after = (start, ...events) => events.reduce(reduce, start);
const closed = (count) => Array.from({ length: count }, () => "?");

/** Seat 0 on turn with a drawn tile; seat 1 closed. */
const onTurn = (own, drawn) =>
  view({
    drawn,
    hands: [hand({ tiles: tiles(own) }), hand({ tiles: closed(13) }), hand(), hand()],
  });

describe("a discard", () => {
  it("of the drawn tile leaves the hand as it is", () => {
    const then = after(onTurn("1m 2m", "9s"), {
      type: "dahai",
      actor: 0,
      pai: "9s",
      tsumogiri: true,
    });
    assert.deepEqual(then.hands[0].tiles, ["1m", "2m"]);
    assert.equal(then.drawn, null);
    assert.equal(then.claimed, "9s");
    assert.equal(then.phase, "claims");
    assert.deepEqual(then.hands[0].river, [{ pai: "9s", tsumogiri: true, riichi: false, taken: false }]);
  });

  it("from the hand puts the drawn tile into its place", () => {
    const then = after(onTurn("1m 5mr 9s", "5m"), {
      type: "dahai",
      actor: 0,
      pai: "1m",
      tsumogiri: false,
    });
    assert.deepEqual(then.hands[0].tiles, ["5m", "5mr", "9s"]);
  });

  it("of another seat takes an unseen tile", () => {
    const start = { ...onTurn("1m", null), turn: 1, drawn: "?" };
    const then = after(start, { type: "dahai", actor: 1, pai: "E", tsumogiri: false });
    assert.deepEqual(then.hands[1].tiles, closed(13));
  });

  it("after riichi is laid sideways; if it is called, so is the next one", () => {
    const start = view({
      turn: 0,
      drawn: "9s",
      hands: [hand({ tiles: tiles("1m 2m") }), hand({ tiles: closed(13) }), hand(), hand()],
    });
    const then = after(
      start,
      { type: "reach", actor: 0, double: false },
      { type: "dahai", actor: 0, pai: "9s", tsumogiri: true },
      { type: "reach_accepted", actor: 0 },
      { type: "pon", actor: 1, target: 0, pai: "9s", consumed: ["9s", "9s"] },
      { type: "dahai", actor: 1, pai: "E", tsumogiri: false },
      { type: "tsumo", actor: 0, pai: "3m", rinshan: false },
      { type: "dahai", actor: 0, pai: "3m", tsumogiri: true },
      { type: "tsumo", actor: 0, pai: "4m", rinshan: false },
      { type: "dahai", actor: 0, pai: "4m", tsumogiri: true },
    );
    assert.deepEqual(
      then.hands[0].river.map(({ riichi, taken }) => [riichi, taken]),
      [
        [true, true],
        [true, false],
        [false, false],
      ],
    );
  });
});

describe("riichi", () => {
  it("pays its stick when nobody won on its tile", () => {
    const declared = after(onTurn("1m", "9s"), { type: "reach", actor: 0, double: true });
    assert.equal(declared.hands[0].riichi, "declared");
    assert.equal(declared.hands[0].double_riichi, true);
    assert.equal(declared.kyotaku, 0);
    const accepted = after(declared, { type: "reach_accepted", actor: 0 });
    assert.equal(accepted.hands[0].riichi, "accepted");
    assert.equal(accepted.hands[0].ippatsu, true);
    assert.equal(accepted.scores[0], 24000);
    assert.equal(accepted.kyotaku, 1);
  });

  it("loses ippatsu to a call, to a kan, and to its own next discard", () => {
    const start = view({
      drawn: "9s",
      hands: [
        hand({ tiles: ["1m"], riichi: "accepted", ippatsu: true }),
        hand({ tiles: closed(13), river: river("3s") }),
        hand({ tiles: closed(13) }),
        hand(),
      ],
    });
    const call = { type: "chi", actor: 2, target: 1, pai: "3s", consumed: ["4s", "5s"] };
    const kan = { type: "tsumo", actor: 2, pai: "?", rinshan: true };
    const own = { type: "dahai", actor: 0, pai: "9s", tsumogiri: true };
    for (const event of [call, kan, own]) {
      assert.equal(after(start, event).hands[0].ippatsu, false, event.type);
    }
    const draw = { type: "tsumo", actor: 1, pai: "?", rinshan: false };
    assert.equal(after(start, draw).hands[0].ippatsu, true);
  });
});

describe("a north that is set aside", () => {
  const norths = { norths: 1, tiles: closed(13) };
  const riichi = hand({ tiles: ["1m"], riichi: "accepted", ippatsu: true });
  const open = (rules) =>
    view({ rules, turn: 1, phase: "claims", claimed: "N", robbing: true, hands: [riichi, hand(norths), hand()] });
  const drawn = { type: "tsumo", actor: 1, pai: "?", rinshan: true };

  it("ends ippatsu with its replacement tile", () =>
    assert.equal(after(open({ norths: true }), drawn).hands[0].ippatsu, false));

  it("leaves ippatsu under rules by which it interrupts nothing; a kan ends it", () => {
    const start = open({ norths: true, nuki_interrupts: false });
    assert.equal(after(start, drawn).hands[0].ippatsu, true);
    assert.equal(after({ ...start, claimed: "3p" }, drawn).hands[0].ippatsu, false);
  });
});

describe("a call", () => {
  it("takes the open tile out of the river and the others out of the hand", () => {
    const start = view({
      phase: "claims",
      turn: 3,
      claimed: "3m",
      hands: [hand({ tiles: tiles("4m 5m 5mr 9p") }), hand(), hand(), hand({ river: river("3m") })],
    });
    const then = after(start, {
      type: "chi",
      actor: 0,
      target: 3,
      pai: "3m",
      consumed: ["4m", "5mr"],
    });
    assert.deepEqual(then.hands[0].tiles, ["5m", "9p"]);
    assert.deepEqual(then.hands[0].melds, [
      { type: "chi", tiles: ["3m", "4m", "5mr"], called: "3m", target: 3, added: null },
    ]);
    assert.equal(then.hands[3].river[0].taken, true);
    assert.deepEqual([then.phase, then.turn, then.drawn, then.claimed], ["turn", 0, null, null]);
  });
});

describe("a kan", () => {
  it("that is closed takes four tiles, including the drawn one", () => {
    const then = after(onTurn("1m 5p 5p 5pr", "5p"), {
      type: "ankan",
      actor: 0,
      consumed: ["5p", "5p", "5p", "5pr"],
    });
    assert.deepEqual(then.hands[0].tiles, ["1m"]);
    assert.equal(then.hands[0].melds[0].called, null);
    assert.deepEqual([then.phase, then.robbing], ["claims", true]);
  });

  it("that is added lies on its pon, and the drawn tile goes into the hand", () => {
    const pon = { type: "pon", tiles: ["5p", "5p", "5pr"], called: "5p", target: 2, added: null };
    const start = onTurn("5p 9s", "1m");
    start.hands[0].melds = [pon];
    const then = after(start, { type: "kakan", actor: 0, pai: "5p", consumed: pon.tiles });
    assert.deepEqual(then.hands[0].tiles, ["1m", "9s"]);
    assert.deepEqual(then.hands[0].melds, [{ ...pon, type: "kakan", tiles: ["5p", "5p", "5p", "5pr"], added: "5p" }]);
    assert.equal(then.claimed, "5p");
  });

  it("can no longer be robbed after its replacement draw", () => {
    const then = after(
      onTurn("1m 5p 5p 5p", "5pr"),
      { type: "ankan", actor: 0, consumed: ["5p", "5p", "5p", "5pr"] },
      { type: "tsumo", actor: 0, pai: "E", rinshan: true },
    );
    assert.deepEqual([then.phase, then.robbing, then.drawn], ["turn", false, "E"]);
    assert.equal(then.left, 49);
  });
});

describe("the end", () => {
  it("by nine terminals and honours lays all fourteen tiles open in one row", () => {
    const row = tiles("1m 9m 1p 9p 1s 9s E S W 2m 3m 4m 5m 6m");
    const then = after(onTurn("1m 2m", "9s"), {
      type: "ryukyoku",
      reason: "kyushu_kyuhai",
      tehais: [row, [], [], []],
      tenpais: [false, false, false, false],
      deltas: [0, 0, 0, 0],
      scores: [25000, 25000, 25000, 25000],
      actor: 0,
      nagashi: [],
    });
    assert.equal(then.drawn, null);
    assert.deepEqual(then.hands[0].tiles, row);
    assert.ok(then.hands[0].shown);
    assert.ok(!then.hands[1].shown);
  });

  it("of the game says whether it was broken off", () => {
    const ended = { type: "end_game", scores: [], placement: [], bonus: [] };
    assert.equal(after(view({}), { ...ended, broken_off: true }).broken_off, true);
    assert.equal(after(view({}), ended).broken_off, false);
  });

  it("of the game leaves no stick on the table", () => {
    const then = after(view({ kyotaku: 2 }), {
      type: "end_game",
      scores: [27000, 25000, 25000, 23000],
      placement: [
        [1, 47],
        [2, 5],
        [3, -15],
        [4, -37],
      ],
    });
    assert.equal(then.kyotaku, 0);
    assert.deepEqual(then.scores, [27000, 25000, 25000, 23000]);
    assert.equal(then.phase, "ended");
  });
});

describe("the reducer", () => {
  it("does not change the given view", () => {
    const start = onTurn("1m 2m", "9s");
    const before = structuredClone(start);
    after(
      start,
      { type: "reach", actor: 0, double: false },
      { type: "dahai", actor: 0, pai: "1m", tsumogiri: false },
      { type: "dora", dora_marker: "E" },
      { type: "away", actor: 2, away: true },
    );
    assert.deepEqual(start, before);
  });

  it("ignores unknown events", () => {
    const start = view();
    assert.equal(reduce(start, { type: "weather", sun: true }), start);
  });

  it("takes furiten from the frame", () => {
    const then = withFuriten(view(), 2, true);
    assert.deepEqual(
      then.hands.map(({ furiten }) => furiten),
      [false, false, true, false],
    );
    assert.equal(withFuriten(then, 2, true), then);
  });
});
