import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { isBrokenOff, panes, ranking, scoreChart, widthOf } from "../../static/js/table/outcome.js";
import { greatest, lengthOf, tierOf } from "../../static/js/table/win_tiers.js";
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
  fu_parts: [
    ["base", 20, null],
    ["closed_ron", 10, null],
    ["tanki", 2, "5m"],
  ],
  ...change,
});

describe("a won hand", () => {
  it("names the winner and who dealt in", () => {
    const [pane] = panes(view({ results: [win()] }));
    assert.deepEqual([pane.kind, pane.winner, pane.loser], ["win", "Anna", "Clara"]);
  });

  it("names nobody who dealt in for a tsumo", () => {
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

  it("has the norths that the winner has set aside, and room for them", () => {
    const [bare] = panes(view({ results: [win()] }));
    const hands = [hand({ norths: 2 }), hand({ norths: 1 }), hand(), hand()];
    const [pane] = panes(view({ results: [win()], hands }));
    assert.deepEqual([bare.norths, pane.norths], [0, 2]);
    assert.ok(Math.abs(pane.width - bare.width - 0.35 - 1.58) < 1e-9);
  });

  it("names the responsible seat", () => {
    assert.equal(panes(view({ results: [win({ liable: 3 })] }))[0].liable, "Dora");
    assert.equal(panes(view({ results: [win()] }))[0].liable, null);
  });

  it("lists the fu and their sum before rounding", () => {
    const [pane] = panes(view({ results: [win()] }));
    assert.deepEqual(pane.fuParts[2], { id: "tanki", fu: 2, pai: "5m" });
    assert.deepEqual([pane.fuSum, pane.fu], [32, 40]);
  });

  it("separates honba and riichi sticks from the hand's points", () => {
    const deltas = [6200 + 600 + 2000, 0, -5200 - 600 - 1000 + 1000, 0];
    const [pane] = panes(view({ results: [win({ deltas })] }));
    assert.deepEqual(pane.flow, { points: 5200, honba: 600, sticks: 3000, total: 8800 });
  });

  it("names payers and receivers, and payments for responsibility", () => {
    const deltas = [33000, 0, -16000, -16000];
    const [pane] = panes(view({ results: [win({ deltas, points: 32000, liable: 3 })] }));
    assert.deepEqual(
      pane.payments.map(({ name, to, liable }) => [name, to.map((player) => player.name), liable]),
      [
        ["Anna", [], false],
        ["Berta", [], false],
        ["Clara", ["Anna"], false],
        ["Dora", ["Anna"], true],
      ],
    );
  });

  it("has the width of the hand with a turned tile in each open meld", () => {
    const melds = [{ type: "chi", tiles: tiles("1p 2p 3p"), called: "2p", target: 3, added: null }];
    const [pane] = panes(view({ results: [win()], hands: [hand({ melds }), hand(), hand(), hand()] }));
    const [closed] = panes(view({ results: [win()] }));
    assert.ok(Math.abs(pane.width - closed.width - 0.35 - 3 - 1 / 3) < 1e-9);
    assert.equal(widthOf(14, []), 14);
  });

  it("has a pane for each winner", () => assert.equal(panes(view({ results: [win(), win({ actor: 1 })] })).length, 2));
});

describe("the change of a seat's points", () => {
  const start = [["E", 1, 0, [25000, 25000, 25000, 25000]]];
  const changes = (/** @type {any} */ pane) =>
    pane.payments.map((/** @type {any} */ { delta, stick }) => [delta, stick]);

  it("has the riichi stick that the seat has paid in this hand, and names it", () => {
    const deltas = [7200, 0, -5200, 0];
    const paid = win({ deltas, scores: [31200, 24000, 19800, 25000] });
    const [pane] = panes(view({ history: start, results: [paid] }));
    assert.deepEqual(changes(pane), [
      [6200, 1000],
      [-1000, 1000],
      [-5200, 0],
      [0, 0],
    ]);
    assert.equal(pane.payments[1].to.length, 0, "a stick is paid to nobody in particular");
  });

  it("has the riichi stick once if two win", () => {
    const first = win({ scores: [31200, 25000, 18800, 25000] });
    const second = win({ actor: 1, deltas: [0, 2000, -2000, 0], scores: [30200, 27000, 16800, 25000] });
    const found = panes(view({ history: start, results: [first, second] }));
    assert.deepEqual(changes(found[0])[0], [5200, 1000]);
    assert.deepEqual(changes(found[1])[0], [0, 0]);
  });

  it("names no stick that a chombo has given back", () => {
    const foul = {
      type: "ryukyoku",
      reason: "chombo",
      tehais: [[], [], [], []],
      tenpais: [false, false, false, false],
      deltas: [4000, 5000, -12000, 4000],
      scores: [29000, 29000, 13000, 29000],
      actor: -1,
      nagashi: [],
      foul: "false_win",
      offenders: [2],
    };
    const [pane] = panes(view({ history: start, results: [foul] }));
    assert.deepEqual(changes(pane)[1], [4000, 0]);
  });

  it("is that of the result if the start of the hand is unknown", () =>
    assert.deepEqual(changes(panes(view({ results: [win()] }))[0])[0], [6200, 0]));
});

describe("the scene of a win", () => {
  it("has five tiers", () => {
    const limits = ["", "mangan", "haneman", "baiman", "sanbaiman", "kazoe_yakuman"];
    assert.deepEqual(
      limits.map((limit) => tierOf({ limit, yakuman: 0 })),
      [0, 1, 2, 3, 3, 4],
    );
    assert.equal(tierOf({ limit: "yakuman", yakuman: 2 }), 4);
  });

  it("lasts longer for a greater win, and less than the table waits", () => {
    const lengths = /** @type {const} */ ([0, 1, 2, 3, 4]).map(lengthOf);
    assert.deepEqual(
      [...lengths].sort((a, b) => a - b),
      lengths,
    );
    assert.equal(new Set(lengths).size, 5);
    assert.ok(Math.max(...lengths) < 5000);
  });

  it("is that of the greatest of two wins", () =>
    assert.equal(greatest([win(), win({ points: 8000, actor: 1 })]).actor, 1));
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
    foul: "",
    offenders: [],
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

  it("shows the waits of tenpai hands, except tiles of which they hold all four", () => {
    const melds = [{ type: "pon", tiles: tiles("4m 4m 4m"), called: "4m", target: 1, added: null }];
    const waits = [["1m", "4m"], [], [], []];
    const hands = [hand({ melds }), hand(), hand(), hand()];
    const [pane] = panes(view({ results: [draw("exhaustive", { waits })], hands }));
    assert.deepEqual(
      pane.hands.map((shown) => shown.waits),
      [["1m"], [], [], []],
    );
    const [before] = panes(view({ results: [draw("exhaustive")] }));
    assert.deepEqual(before.hands[0].waits, [], "of a record that has none");
  });

  it("names who declared an abort, without tenpai", () => {
    const [pane] = panes(view({ results: [draw("kyushu_kyuhai", { actor: 1 })] }));
    assert.deepEqual([pane.hasTenpai, pane.by], [false, ["Berta"]]);
  });

  it("marks the first tile of each of the nine kinds", () => {
    const row = tiles("1m 1m 5m 9p 9p 1s E E P");
    const [pane] = panes(view({ results: [draw("kyushu_kyuhai", { actor: 0, tehais: [row, [], [], []] })] }));
    assert.deepEqual(
      pane.hands[0].tiles.filter((_, at) => pane.hands[0].marked[at]),
      tiles("1m 9p 1s E P"),
    );
    assert.equal(pane.kinds, 5);
  });

  const thrown = (pai) => ({ pai, tsumogiri: false, riichi: false, taken: false });
  const closed = { tehais: [[], [], [], []], tenpais: [false, false, false, false] };

  it("shows the wind that everybody discarded", () => {
    const hands = [0, 1, 2, 3].map(() => hand({ river: [thrown("W")] }));
    const [pane] = panes(view({ hands, results: [draw("sufon_renda", closed)] }));
    assert.deepEqual(
      pane.hands.map((hand) => hand.tiles),
      [["W"], ["W"], ["W"], ["W"]],
    );
  });

  it("shows the kans of four kans, and no other meld", () => {
    const kan = { type: "ankan", tiles: tiles("E E E E"), called: null, target: 0, added: null };
    const added = { type: "kakan", tiles: tiles("C C C C"), called: "C", target: 1, added: "C" };
    const pon = { type: "pon", tiles: tiles("P P P"), called: "P", target: 1, added: null };
    const hands = [hand({ melds: [kan, pon, added] }), hand({ melds: [pon] }), hand(), hand()];
    const [pane] = panes(view({ hands, results: [draw("sukaikan", closed)] }));
    assert.deepEqual(
      pane.hands.map(({ melds }) => melds.length),
      [2, 0, 0, 0],
    );
  });

  it("shows the discards that made nagashi mangan", () => {
    const hands = [hand(), hand({ river: [thrown("1m"), thrown("P")] }), hand(), hand()];
    const [pane] = panes(view({ hands, results: [draw("nagashi_mangan", { ...closed, nagashi: [1] })] }));
    assert.deepEqual(pane.hands[1].tiles, ["1m", "P"]);
  });

  it("names the offender of a chombo, and the reason", () => {
    const foul = { ...closed, foul: "false_win", offenders: [2], deltas: [4000, 4000, -12000, 4000] };
    const [pane] = panes(view({ results: [draw("chombo", foul)] }));
    assert.deepEqual([pane.foul, pane.by], ["false_win", ["Clara"]]);
    assert.deepEqual(
      pane.payments[2].to.map(({ name }) => name),
      ["Anna", "Berta", "Dora"],
    );
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

describe("uma and oka", () => {
  it("are separate from the points of the score", () => {
    const rows = ranking(
      view({
        placement: [
          [1, 46.3],
          [2, 9.9],
          [4, -30],
          [3, -26.2],
        ],
        bonus: [
          [20, 20],
          [10, 0],
          [-20, 0],
          [-10, 0],
        ],
      }),
    );
    assert.deepEqual(
      rows.map(({ base, uma, oka }) => [base, uma, oka]),
      [
        [6.3, 20, 20],
        [-0.1, 10, 0],
        [-16.2, -10, 0],
        [-10, -20, 0],
      ],
    );
  });
});

describe("the chart of scores", () => {
  const history = [
    ["E", 1, 0, [25000, 25000, 25000, 25000]],
    ["E", 1, 1, [29000, 24000, 24000, 23000]],
  ];

  it("has the points after each hand, the last ones from the table", () => {
    const chart = scoreChart(view({ history, scores: [20000, 30000, 25000, 25000] }));
    assert.deepEqual(chart.start, [25000, 25000, 25000, 25000]);
    assert.deepEqual(
      chart.hands.map(({ wind, kyoku, honba, scores }) => [wind, kyoku, honba, scores]),
      [
        ["E", 1, 0, [29000, 24000, 24000, 23000]],
        ["E", 1, 1, [20000, 30000, 25000, 25000]],
      ],
    );
  });

  it("is null before the first hand", () => assert.equal(scoreChart(view()), null));
});

describe("a game that was broken off", () => {
  const history = [
    ["E", 1, 0, [25000, 25000, 25000, 25000]],
    ["E", 2, 0, [20000, 30000, 25000, 25000]],
  ];
  const draw = {
    type: "ryukyoku",
    reason: "abandoned",
    deltas: [0, 0, 0, 0],
    tenpais: [],
    tehais: [],
    offenders: [],
    nagashi: [],
  };
  const end = (/** @type {object} */ change) => view({ phase: "ended", history, results: [draw], ...change });

  it("is one whose last hand has no result", () => {
    assert.equal(isBrokenOff(end({})), true);
    assert.equal(isBrokenOff(end({ phase: "result" })), false);
    assert.equal(isBrokenOff(end({ results: [win()] })), false);
  });

  it("can have its last hand played to the end", () => {
    const whole = end({ results: [win()], broken_off: true });
    assert.equal(isBrokenOff(whole), true);
    assert.equal(panes(whole).length, 1);
    assert.deepEqual(scoreChart(whole)?.hands.length, 2);
  });

  it("has no pane for that hand", () => assert.deepEqual(panes(end({})), []));

  it("has a chart without that hand", () => {
    assert.deepEqual(
      scoreChart(end({}))?.hands.map(({ scores }) => scores[0]),
      [20000],
    );
    assert.equal(scoreChart(end({ history: history.slice(0, 1) })), null);
  });
});
