import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { display, riverRows } from "../../static/js/table/display.js";
import { meldTiles } from "../../static/js/table/melds.js";
import { FACES, sorted } from "../../static/js/table/tiles.js";
import { hand, river, tiles, view } from "./kit.js";

/** A meld as text: `_` before a tile that lies sideways, `+` before what lies on it. */
const drawn = (meld, owner) =>
  meldTiles(meld, owner)
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
  it("the left neighbour: the tile on the left lies sideways", () =>
    assert.equal(drawn(pon(0), 1), "_5pr 5p 5p"));
  it("the seat across: the tile in the middle", () =>
    assert.equal(drawn(pon(3), 1), "5p _5pr 5p"));
  it("the right neighbour: the tile on the right", () =>
    assert.equal(drawn(pon(2), 1), "5p 5p _5pr"));

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
  const rows = (text) => riverRows(river(text), false).map((row) => row.map(({ pai }) => pai).join(" "));

  it("has rows of six, and the third goes on", () =>
    assert.deepEqual(rows("1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 4p 5p 6p 7p 8p 9p 1s 2s"), [
      "1m 2m 3m 4m 5m 6m",
      "7m 8m 9m 1p 2p 3p",
      "4p 5p 6p 7p 8p 9p 1s 2s",
    ]));
  it("closes up where a tile was claimed", () =>
    assert.deepEqual(rows("1m 2mx 3m 4m 5m 6m 7m"), ["1m 3m 4m 5m 6m 7m", "", ""]));
  it("marks the open tile", () => {
    const [[first, last]] = riverRows(river("1m 2m"), true);
    assert.deepEqual([first.last, last.last], [false, true]);
  });
  it("marks the tile thrown last once it is not open any more, unless it was claimed", () => {
    const recent = (text) => {
      const hands = [hand(), hand({ river: river(text) }), hand(), hand()];
      const { seats } = display(view({ hands }), 1, 1);
      return seats[0].river.flat().map((cell) => cell.recent);
    };
    assert.deepEqual(recent("1m 2m"), [false, true]);
    assert.deepEqual(recent("1m 2mx"), [false]);
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

  it("has five places for dora", () =>
    assert.deepEqual(display(view({ dora: ["3p", "E"] }), 0).dora, ["3p", "E", null, null, null]));
});

describe("tiles", () => {
  it("are 37 faces, the red five after the others", () => {
    assert.equal(FACES.length, 37);
    assert.deepEqual(sorted(tiles("C ? 5mr E 5m 1s 9p P")), tiles("5m 5mr 9p 1s E P C ?"));
  });
});
