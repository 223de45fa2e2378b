import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { offer } from "../../static/js/table/offer.js";
import { tiles } from "./kit.js";

const dahai = (pai, tsumogiri = false) => ({ type: "dahai", pai, tsumogiri });
const reach = (pai, tsumogiri = false) => ({ type: "reach", pai, tsumogiri });

describe("the tiles of the hand", () => {
  it("can be pressed if their discard is legal", () => {
    const { tiles: shown } = offer(tiles("1m 2m 3m"), "1m", [dahai("2m"), dahai("1m", true)], "turn", null);
    assert.deepEqual(
      shown.map(({ pai, drawn, action, dim }) => [pai, drawn, action?.tsumogiri ?? null, dim]),
      [
        ["1m", false, null, true],
        ["2m", false, false, false],
        ["3m", false, null, true],
        ["1m", true, true, false],
      ],
    );
  });

  it("are not dimmed while another seat is on turn", () => {
    const { tiles: shown } = offer(tiles("1m 2m"), null, [], "turn", null);
    assert.ok(shown.every(({ action, dim }) => action === null && !dim));
  });

  it("declare riichi once Riichi has been pressed", () => {
    const legal = [dahai("1m"), dahai("2m"), reach("2m")];
    const before = offer(tiles("1m 2m"), null, legal, "turn", null);
    assert.equal(before.choosingRiichi, false);
    assert.deepEqual(before.tiles[1].action, dahai("2m"));
    const choosing = offer(tiles("1m 2m"), null, legal, "turn", "reach");
    assert.equal(choosing.choosingRiichi, true);
    assert.deepEqual(choosing.tiles[1].action, reach("2m"));
    assert.deepEqual([choosing.tiles[0].action, choosing.tiles[0].dim], [null, true]);
  });

  it("keep their keys while they stay in the hand", () => {
    const keys = (hand) => offer(tiles(hand), null, [], "turn", null).tiles.map(({ key }) => key);
    const [, second] = keys("1m 5m 5m");
    assert.deepEqual(keys("5m 5m")[0], second);
    assert.equal(new Set(keys("5m 5m 5m")).size, 3);
  });
});

describe("the call buttons", () => {
  const words = (legal, phase, chosen = null) => offer([], null, legal, phase, chosen).buttons.map(({ call }) => call);

  it("have one for a north to set aside", () => {
    const legal = [{ type: "ankan", consumed: ["E", "E", "E", "E"] }, { type: "kita" }, dahai("N")];
    const [kita] = offer(tiles("N"), null, legal, "turn", null).buttons;
    assert.deepEqual([kita.call, kita.letter, kita.tiles], ["kita", "b", ["N"]]);
  });

  const manyWays = [
    { type: "chi", consumed: ["4m", "5m"] },
    { type: "chi", consumed: ["4m", "5mr"] },
    { type: "hora" },
    { type: "pon", consumed: ["3m", "3m"] },
    { type: "none" },
  ];
  const shown = (legal, chosen) =>
    offer([], null, legal, "claims", chosen).buttons.map(({ call, action, chooses, tiles: taken }) => [
      call,
      action === null ? chooses : taken.join(" "),
    ]);

  it("have one for each way to make a call, while there is room", () => {
    const few = manyWays.filter(({ type }) => type !== "hora");
    assert.deepEqual(shown(few, null), [
      ["pon", "3m 3m"],
      ["chi", "4m 5m"],
      ["chi", "4m 5mr"],
      ["none", ""],
    ]);
    const { buttons } = offer([], null, few, "claims", null);
    assert.deepEqual(
      buttons.map(({ more }) => more),
      [false, false, true, false],
    );
  });

  it("have one for each call without room, with its tiles if there is one way", () => {
    assert.deepEqual(shown(manyWays, null), [
      ["ron", ""],
      ["pon", "3m 3m"],
      ["chi", "chi"],
      ["none", ""],
    ]);
  });

  it("are the ways of a chosen call, and cancel", () => {
    assert.deepEqual(shown(manyWays, "chi"), [
      ["chi", "4m 5m"],
      ["chi", "4m 5mr"],
      ["cancel", ""],
    ]);
    assert.ok(offer([], null, manyWays, "claims", "chi").choosingTiles);
  });

  it("ignore a choice that is no longer offered", () =>
    assert.deepEqual(shown(manyWays.slice(1), "chi"), [
      ["ron", ""],
      ["pon", "3m 3m"],
      ["chi", "4m 5mr"],
      ["none", ""],
    ]));

  it("say tsumo on the own turn and ron on an open tile", () => {
    assert.deepEqual(words([{ type: "hora" }], "turn"), ["tsumo"]);
    assert.deepEqual(words([{ type: "hora" }, { type: "none" }], "claims"), ["ron", "none"]);
  });

  it("have riichi after a win and before a kan, and cancel", () => {
    const legal = [reach("1m"), { type: "ankan", consumed: ["E", "E", "E", "E"] }, { type: "hora" }];
    assert.deepEqual(words(legal, "turn"), ["tsumo", "reach", "ankan"]);
    assert.deepEqual(words(legal, "turn", "reach"), ["tsumo", "cancel", "ankan"]);
  });

  it("have one button for all kans if there is no room for each", () => {
    const closed = (pai) => ({ type: "ankan", consumed: [pai, pai, pai, pai] });
    const legal = [closed("E"), closed("S"), { type: "kakan", pai: "1m", consumed: ["1m", "1m", "1m"] }];
    const kans = [...legal, { type: "ryukyoku" }];
    assert.deepEqual(words(kans, "turn"), ["ryukyoku", "ankan"]);
    assert.deepEqual(words(kans, "turn", "ankan"), ["ankan", "ankan", "kakan", "cancel"]);
  });

  it("are none without a question", () => assert.deepEqual(words([], "claims"), []));
});
