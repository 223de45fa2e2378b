import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { panes, ranking } from "../../static/js/table/outcome.js";
import { hand, tiles, view } from "./kit.js";

const win = (change = {}) => ({
  type: "hora",
  actor: 0,
  target: 2,
  pai: "5m",
  tehai: tiles("2m 2m 3m 4m"),
  uradora_markers: ["7p"],
  yaku: [
    ["riichi", 1],
    ["dora", 2],
  ],
  fan: 3,
  fu: 40,
  yakuman: 0,
  limit: "",
  points: 5200,
  liable: -1,
  deltas: [6200, 0, -5200, 0],
  scores: [31200, 25000, 18800, 25000],
  ...change,
});

describe("a won hand", () => {
  it("names the winner and who dealt in", () => {
    const [pane] = panes(view({ results: [win()] }));
    assert.deepEqual([pane.kind, pane.winner, pane.loser], ["win", "Anna", "Clara"]);
  });

  it("has nobody who dealt in when it was drawn", () => {
    const [pane] = panes(view({ results: [win({ target: 0 })] }));
    assert.equal(pane.loser, null);
  });

  it("lists the payments from the dealer on", () => {
    const [pane] = panes(view({ oya: 2, results: [win()] }));
    assert.deepEqual(
      pane.payments.map(({ name, wind, delta, score }) => [name, wind, delta, score]),
      [
        ["Clara", "E", -5200, 18800],
        ["Dora", "S", 0, 25000],
        ["Anna", "W", 6200, 31200],
        ["Berta", "N", 0, 25000],
      ],
    );
  });

  it("lays the winner's melds out", () => {
    const melds = [{ type: "chi", tiles: tiles("1p 2p 3p"), called: "2p", target: 3, added: null }];
    const [pane] = panes(view({ results: [win()], hands: [hand({ melds }), hand(), hand(), hand()] }));
    assert.equal(pane.melds[0][0].pai, "2p");
  });

  it("names who is responsible", () => {
    assert.equal(panes(view({ results: [win({ liable: 3 })] }))[0].liable, "Dora");
    assert.equal(panes(view({ results: [win()] }))[0].liable, null);
  });

  it("has a page for each winner", () =>
    assert.equal(panes(view({ results: [win(), win({ actor: 1 })] })).length, 2));
});

describe("a drawn hand", () => {
  const draw = (reason, change = {}) => ({
    type: "ryukyoku",
    reason,
    tehais: [tiles("1m 2m 3m 4m"), [], [], []],
    tenpais: [true, false, false, false],
    deltas: [3000, -1000, -1000, -1000],
    scores: [28000, 24000, 24000, 24000],
    actor: -1,
    nagashi: [],
    ...change,
  });

  it("shows who was tenpai at the end of the wall", () => {
    const [pane] = panes(view({ results: [draw("exhaustive")] }));
    assert.equal(pane.hasTenpai, true);
    assert.deepEqual(
      pane.hands.map(({ tenpai }) => tenpai),
      [true, false, false, false],
    );
  });

  it("speaks of no tenpai after an abort, but of who declared it", () => {
    const [pane] = panes(view({ results: [draw("kyushu_kyuhai", { actor: 1 })] }));
    assert.deepEqual([pane.hasTenpai, pane.declarer], [false, "Berta"]);
  });
});

describe("the ranking", () => {
  it("has the first place first", () => {
    const rows = ranking(
      view({
        placement: [
          [3, -15],
          [1, 52.3],
          [4, -37.3],
          [2, 0],
        ],
      }),
    );
    assert.deepEqual(
      rows.map(({ place, name, points }) => [place, name, points]),
      [
        [1, "Berta", 52.3],
        [2, "Dora", 0],
        [3, "Anna", -15],
        [4, "Clara", -37.3],
      ],
    );
  });
});
