import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { display, lastDiscard, placeOfSeat, riverRows, standing } from "../../static/js/table/display.js";
import { meldTiles } from "../../static/js/table/melds.js";
import { scoresText } from "../../static/js/table/reading.js";
import { FACES, doraOf, sorted } from "../../static/js/table/tiles.js";
import { hand, river, tiles, view, words } from "./kit.js";

/** A meld as text: `_` before a tile that lies sideways, `+` before what lies on it. */
const drawn = (meld, owner, players = 4) =>
  meldTiles(meld, owner, players)
    .map(({ pai, turned, added }) => `${turned ? "_" : ""}${pai}${added ? `+${added}` : ""}`)
    .join(" ");
const pon = (target) => ({
  type: "pon",
  tiles: ["5p", "5p", "5pr"],
  called: "5pr",
  target,
  added: null,
});

describe("a meld shows from whom it was called", () => {
  it("the left neighbour: the tile on the left lies sideways", () => assert.equal(drawn(pon(0), 1), "_5pr 5p 5p"));
  it("the seat across: the tile in the middle", () => assert.equal(drawn(pon(3), 1), "5p _5pr 5p"));
  it("the right neighbour: the tile on the right", () => assert.equal(drawn(pon(2), 1), "5p 5p _5pr"));

  it("among three: the left neighbour on the left, the right one on the right", () => {
    const called = (target, owner) => drawn(pon(target), owner, 3);
    assert.deepEqual([called(0, 1), called(2, 1)], ["_5pr 5p 5p", "5p 5p _5pr"]);
    assert.deepEqual([called(2, 0), called(1, 0)], ["_5pr 5p 5p", "5p 5p _5pr"]);
  });

  it("a chi always points to the left", () => {
    const chi = { type: "chi", tiles: tiles("3m 4m 5m"), called: "4m", target: 3, added: null };
    assert.equal(drawn(chi, 0), "_4m 3m 5m");
  });

  it("an open kan has its sideways tile at the ends or second", () => {
    const kan = (target) => ({
      type: "daiminkan",
      tiles: tiles("E E E E"),
      called: "E",
      target,
      added: null,
    });
    assert.equal(drawn(kan(3), 0), "_E E E E");
    assert.equal(drawn(kan(2), 0), "E _E E E");
    assert.equal(drawn(kan(1), 0), "E E E _E");
  });

  it("the tile of an added kan lies on the sideways one", () => {
    const kan = { ...pon(2), type: "kakan", tiles: tiles("5p 5p 5p 5pr"), added: "5p" };
    assert.equal(drawn(kan, 0), "5p _5pr+5p 5p");
  });

  it("a closed kan shows its red five between two backs", () => {
    const kan = {
      type: "ankan",
      tiles: tiles("5s 5s 5s 5sr"),
      called: null,
      target: 0,
      added: null,
    };
    assert.equal(drawn(kan, 0), "? 5sr 5s ?");
  });
});

describe("a river", () => {
  const rows = (text) => riverRows(river(text)).map((row) => row.map(({ pai }) => pai).join(" "));

  it("has four rows of six, and the fourth goes on", () =>
    assert.deepEqual(rows("1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 4p 5p 6p 7p 8p 9p 1s 2s 3s 4s 5s 6s 7s"), [
      "1m 2m 3m 4m 5m 6m",
      "7m 8m 9m 1p 2p 3p",
      "4p 5p 6p 7p 8p 9p",
      "1s 2s 3s 4s 5s 6s 7s",
    ]));
  it("keeps the place of a tile that was claimed", () => {
    const [row] = riverRows(river("1m 2mx 3m 4m 5m 6m 7m"));
    assert.deepEqual(
      row.map(({ pai, taken }) => (taken ? `${pai} gone` : pai)),
      ["1m", "2m gone", "3m", "4m", "5m", "6m"],
    );
  });
  it("marks the dora, red or not", () => {
    const [row] = riverRows(river("4p 5p 5pr 6p"), { dora: ["5p"] });
    assert.deepEqual(
      row.map(({ dora }) => dora),
      [false, true, true, false],
    );
  });
});

describe("the last tile thrown", () => {
  const table = (rivers, change) => view({ hands: rivers.map((text) => hand({ river: river(text) })), ...change });

  it("is open while it can be claimed", () => {
    const open = table(["1m", "2m", "", ""], { phase: "claims", turn: 1, claimed: "2m" });
    assert.deepEqual(lastDiscard(open), { seat: 1, open: true });
    const { seats } = display(open, 0);
    assert.deepEqual(
      seats.map(({ river: [row] }) => row.map(({ pai, last }) => [pai, last])),
      [[["1m", false]], [["2m", true]], [], []],
    );
  });
  it("is that of the seat before, once a tile has been drawn", () => {
    const drawn = table(["1m", "2m", "", ""], { turn: 2, drawn: "?" });
    assert.deepEqual(lastDiscard(drawn), { seat: 1, open: false });
    const { seats } = display(drawn, 0);
    assert.deepEqual(seats[1].river[0][0].recent, true);
    assert.deepEqual(seats[0].river[0][0].recent, false);
  });
  it("is nobody's before the first, and after it was claimed", () => {
    assert.equal(lastDiscard(table(["", "", "", ""], { drawn: "1m" })), null);
    assert.equal(lastDiscard(table(["1mx", "", "", ""], { turn: 2, drawn: null })), null);
    assert.equal(lastDiscard(table(["1mx", "", "", ""], { turn: 1, drawn: "?" })), null);
  });
  it("is unknown after the replacement draw of an open kan", () => {
    const after = table(["1m", "2m", "", "3mx"], { turn: 2, drawn: "?" });
    const kan = { type: "daiminkan", tiles: [], called: "3m", target: 3, added: null };
    after.hands[2] = hand({ melds: [kan] });
    assert.equal(lastDiscard(after), null);
  });
  it("stays marked when the wall is used up and when it was won on", () => {
    const last = { turn: 1, drawn: null };
    for (const change of [
      { ...last, phase: "showing", claimed: null },
      { ...last, phase: "result", claimed: "2m" },
    ]) {
      assert.deepEqual(lastDiscard(table(["1m", "2m", "", ""], change)), { seat: 1, open: false });
    }
  });
  it("is not marked while a kan can be robbed", () => {
    const robbing = { phase: "claims", turn: 1, claimed: "2m", robbing: true };
    assert.equal(lastDiscard(table(["1m", "2m", "", ""], robbing)), null);
    assert.equal(display(table(["1m", "2m", "", ""], robbing), 0).seats[1].robbing, "meld");
  });
});

describe("the table as a reader sees it", () => {
  it("has the reader at the bottom and the next player on the right", () => {
    const seats = display(view(), 2).seats;
    assert.deepEqual(
      seats.map(({ seat, place }) => [seat, place]),
      [
        [2, "bottom"],
        [3, "right"],
        [0, "top"],
        [1, "left"],
      ],
    );
  });

  it("derives the winds from the dealer", () => {
    const { seats } = display(view({ oya: 3 }), 0);
    assert.deepEqual(
      seats.map(({ wind }) => wind),
      ["S", "W", "N", "E"],
    );
    assert.equal(seats[3].dealer, true);
  });

  it("sets the drawn tile apart, for the seat on turn only", () => {
    const hands = [0, 1, 2, 3].map(() => hand({ tiles: tiles("1m") }));
    const { seats } = display(view({ turn: 1, drawn: "?", hands }), 0);
    assert.deepEqual(
      seats.map((seat) => seat.drawn),
      [null, "?", null, null],
    );
  });

  it("has each seat's difference to the one at the bottom", () => {
    const { seats } = display(view({ scores: [30000, 20000, 25000, 25000] }), 1);
    assert.deepEqual(
      seats.map(({ difference }) => difference),
      [0, 5000, 5000, 10000],
    );
  });

  it("is read with differences to the player at the bottom, or to spectators with places", () => {
    const shown = display(view({ scores: [30000, 20000, 25000, 25000] }), 1);
    const read = (watched) => scoresText(shown, words.en, watched).split(". ").slice(1);
    assert.deepEqual(read(false).slice(0, 2), ["Berta, South, 20,000", "Clara, West, 25,000, +5,000"]);
    assert.deepEqual(read(true).slice(0, 2), [
      "Berta, South, 20,000, 4th, \u22125,000",
      "Clara, West, 25,000, 2nd, \u22125,000",
    ]);
  });

  it("has five places for dora", () =>
    assert.deepEqual(display(view({ dora: ["3p", "E"] }), 0).dora, ["3p", "E", null, null, null]));
});

describe("a table of three", () => {
  /** @param {object} [change] */
  const three = (change) =>
    view({
      names: ["Anna", "Berta", "Clara"],
      scores: [35000, 40000, 30000],
      hands: ["9m", "1p", ""].map((text) => hand({ river: river(text) })),
      ...change,
    });

  it("has nobody at the top", () => {
    const { seats } = display(three({ oya: 2 }), 1);
    assert.deepEqual(
      seats.map(({ seat, place, wind }) => [seat, place, wind]),
      [
        [1, "bottom", "W"],
        [2, "right", "E"],
        [0, "left", "S"],
      ],
    );
    const places = [0, 1, 2].map((seat) => placeOfSeat(seat, 2, 3));
    assert.deepEqual(places, ["right", "left", "bottom"]);
  });

  it("marks the last discard of the seat before", () =>
    assert.deepEqual(lastDiscard(three({ turn: 2, drawn: "?" })), { seat: 1, open: false }));

  it("counts the norths of each seat, and marks the one that can be won on", () => {
    const hands = [hand({ norths: 2 }), hand(), hand()];
    const open = display(three({ hands, phase: "claims", turn: 0, claimed: "N", robbing: true }), 0);
    assert.deepEqual(
      open.seats.map(({ norths, robbing }) => [norths, robbing]),
      [
        [2, "north"],
        [0, ""],
        [0, ""],
      ],
    );
    const kan = display(three({ phase: "claims", turn: 1, claimed: "N", robbing: true }), 0);
    assert.equal(kan.seats[1].robbing, "meld");
  });

  it("has 9m as the dora of 1m", () => {
    const { doraKinds, seats } = display(three({ dora: ["1m", "W"] }), 0);
    assert.deepEqual(doraKinds, ["9m", "N"]);
    assert.equal(seats[0].river[0][0].dora, true);
  });
});

describe("tiles", () => {
  it("know the dora that an indicator points to: suits, winds and dragons go round", () =>
    assert.deepEqual(
      tiles("1m 9m 4p 5pr N E C P ?").map((pai) => doraOf(pai, 4)),
      [..."2m 1m 5p 6p E S P F".split(" "), ""],
    ));
  it("know that 9m follows on 1m among three players", () =>
    assert.deepEqual(
      tiles("1m 9m 1p 9s W").map((pai) => doraOf(pai, 3)),
      ["9m", "1m", "2p", "1s", "N"],
    ));

  it("are 37 faces, the red five after the others", () => {
    assert.equal(FACES.length, 37);
    assert.deepEqual(sorted(tiles("C ? 5mr E 5m 1s 9p P")), tiles("5m 5mr 9p 1s E P C ?"));
  });
});

describe("what spectators and screen readers are told of a seat", () => {
  it("its place by points, which equal seats share, and the distance to the next place", () => {
    const scores = [25000, 31300, 17700, 25000];
    assert.deepEqual(
      scores.map((_, seat) => standing(scores, seat)),
      [
        { rank: 2, gap: -6300 },
        { rank: 1, gap: 6300 },
        { rank: 4, gap: -7300 },
        { rank: 2, gap: -6300 },
      ],
    );
  });

  it("that its player has no connection, wherever the seat is drawn", () => {
    const absentAt = (bottom) =>
      display(view(), bottom, [false, true, false, false])
        .seats.filter(({ absent }) => absent)
        .map(({ seat, place }) => [seat, place]);
    assert.deepEqual(absentAt(0), [[1, "right"]]);
    assert.deepEqual(absentAt(3), [[1, "top"]]);
    assert.ok(display(view(), 0).seats.every(({ absent }) => !absent));
  });

  it("no place before points have changed hands", () =>
    assert.deepEqual(standing([30000, 30000, 30000, 30000], 2), { rank: 0, gap: 0 }));

  it("who has called its discard, unless two players have called such tiles", () => {
    const callerOf = (...callers) => {
      const hands = [0, 1, 2, 3].map((seat) =>
        hand({
          melds: callers.includes(seat) ? [pon(0)] : [],
          river: seat === 0 ? [{ pai: "5pr", tsumogiri: false, riichi: false, taken: true }] : [],
        }),
      );
      const [bottom] = display({ ...view(), hands, names: ["Anna", "Bo", "Chi", "Dai"] }, 0).seats;
      return bottom.river.flat()[0].caller;
    };
    assert.equal(callerOf(2), "Chi");
    assert.equal(callerOf(1, 2), "");
  });
});
