import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { START, placeOf, queryOf } from "../../static/js/replay/address.js";
import { handText, mpsz } from "../../static/js/replay/mpsz.js";
import { asSeenBy } from "../../static/js/replay/shown_view.js";
import { picture } from "../../static/js/replay/picture.js";
import { hand, tiles, view, words } from "./kit.js";

globalThis.document ??= /** @type {any} */ ({ querySelectorAll: () => [] });

describe("the address of a position", () => {
  it("leads back to the position", () => {
    for (const open of [true, false]) {
      for (const names of [true, false]) {
        const place = { hand: 3, step: 41, seat: 2, open, waits: !open, names };
        assert.deepEqual(placeOf(queryOf(place), START, 4), place);
      }
    }
  });

  it("ignores what is no number, no seat or no hand", () => {
    for (const query of ["", "?hand=0&step=-1&seat=4", "?hand=x&step=1e3&seat=", "?step=9999999"]) {
      assert.deepEqual(placeOf(query, START, 4), START);
    }
    assert.deepEqual(placeOf("?seat=3", START, 3), START);
  });
});

describe("a hand as text", () => {
  it("has red fives as 0, winds and dragons as 1z to 7z", () => {
    assert.equal(mpsz(tiles("1m 5mr 9p E S W N P F C")), "10m9p1234567z");
  });

  it("has the drawn tile and the melds apart", () => {
    const meld = { type: "pon", tiles: tiles("C C C"), called: "C", target: 1, added: null };
    assert.equal(handText(hand({ tiles: tiles("1m 2m 3m E"), melds: [meld] }), "E"), "123m1z 1z 777z");
  });
});

describe("the view of one seat", () => {
  const open = view({
    turn: 1,
    drawn: "9s",
    hands: [
      hand({ tiles: tiles("1m") }),
      hand({ tiles: tiles("2m") }),
      hand({ tiles: tiles("3m"), shown: true }),
      hand(),
    ],
  });

  it("closes the hands of others until they are shown", () => {
    const seen = asSeenBy(open, 0);
    assert.deepEqual(
      seen.hands.map((hand) => hand.tiles),
      [["1m"], ["?"], ["3m"], []],
    );
    assert.equal(seen.drawn, "?");
  });

  it("shows the own drawn tile", () => {
    assert.equal(asSeenBy(open, 1).drawn, "9s");
  });
});

describe("a picture of the board", () => {
  it("has the seats of three and their norths", () => {
    const hands = [hand({ norths: 3 }), hand(), hand({ norths: 1 })];
    const drawn = picture(view({ names: ["Anna", "Berta", "Clara"], scores: [0, 0, 0], hands }), 1, words.en);
    const turns = [...drawn.matchAll(/rotate\((-?\d+) 500 500\)/g)].map(([, turn]) => Number(turn));
    assert.deepEqual(turns, [0, -90, 90]);
    assert.equal(drawn.match(/href="#N"/g)?.length, 4);
  });
});
