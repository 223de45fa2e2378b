/**
 * Answers to `study` for the gallery.
 *
 * @import { Prospect, Study } from "../table/hints.js"
 */

/** @param {number} points @param {number} han */
const worth = (points, han) => ({ points, han, fu: 30, limit: "", yakuman: 0, yaku: [] });

/** @param {Partial<Prospect>} change @returns {Prospect} */
const prospect = (change) => ({ shanten: 0, useful: [], waits: [], furiten: [], ...change });

const TWO_SIDED = prospect({
  waits: [
    { pai: "3s", left: 2, ron: null, tsumo: worth(1100, 1), reach: { ron: worth(2000, 2), tsumo: worth(4000, 3) } },
    { pai: "6s", left: 4, ron: null, tsumo: worth(1100, 1), reach: { ron: worth(2000, 2), tsumo: worth(4000, 3) } },
  ],
});
const SINGLE = prospect({
  waits: [
    {
      pai: "5m",
      left: 0,
      ron: worth(3900, 3),
      tsumo: worth(4000, 3),
      reach: { ron: worth(8000, 4), tsumo: worth(8000, 5) },
    },
  ],
  furiten: ["own_discard"],
});
const FAR = prospect({
  shanten: 2,
  useful: [
    ["1m", 3],
    ["4m", 2],
    ["2p", 4],
    ["5p", 1],
    ["6p", 4],
    ["9p", 2],
    ["1s", 4],
    ["4s", 3],
    ["E", 2],
    ["P", 1],
  ],
});

/** Two discards keep tenpai. @type {Study} */
export const CHOICES = {
  q: 1,
  hand: null,
  discards: [
    { pai: "5mr", tsumogiri: false, then: TWO_SIDED },
    { pai: "7s", tsumogiri: true, then: SINGLE },
    { pai: "E", tsumogiri: false, then: FAR },
  ],
  kuikae: [],
};

/** A hand without tenpai, with tiles that may not be discarded after a call. @type {Study} */
export const BARRED = {
  q: 1,
  hand: null,
  discards: [{ pai: "E", tsumogiri: false, then: FAR }],
  kuikae: [
    { pai: "2m", why: "same_tile" },
    { pai: "5mr", why: "other_end" },
  ],
};

/** A hand that waits, and may not win. @type {Study} */
export const WAITING = {
  q: 1,
  hand: prospect({
    waits: [
      { pai: "1p", left: 3, ron: null, tsumo: null, reach: null },
      { pai: "4p", left: 1, ron: null, tsumo: null, reach: null },
      { pai: "7p", left: 2, ron: null, tsumo: null, reach: null },
    ],
    furiten: ["temporary"],
  }),
  discards: [],
  kuikae: [],
};
