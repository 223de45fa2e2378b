/**
 * Finds the elements at the spots of a plan.
 *
 * @import { Board } from "../ui/board.js"
 */
import { PLACES } from "../table/display.js";

/** @param {string} spot of a seat */
export const seatOf = (spot) => Number(spot.split(":")[1]);

/**
 * @param {Board} board
 * @param {string} spot as in `plan.js`
 * @param {number} bottom the seat at the bottom
 * @returns {{nodes: HTMLElement[], turn: number}} the elements, and their side of the table
 */
export function elementsAt(board, spot, bottom) {
  const [part, seat, which = ""] = spot.split(":");
  if (part === "dora") return { nodes: present(board.info.querySelectorAll(".tile")[Number(seat)]), turn: 0 };
  const turn = (Number(seat) - bottom + 4) % 4;
  const side = board.sides[turn];
  switch (part) {
    case "hand":
      return { nodes: inHand(side.hand, which), turn };
    case "river":
      return { nodes: present(side.river.querySelectorAll(".tile")[Number(which)]), turn };
    case "stick":
      return { nodes: present(board.centre.querySelector(`.stick--${PLACES[turn]}`)), turn: 0 };
    default:
      return { nodes: inMeld(side.melds, part, Number(which)), turn };
  }
}

/** @param {HTMLElement} hand @param {string} which */
function inHand(hand, which) {
  if (which === "") return [hand];
  if (which === "drawn") return present(hand.querySelector(".tile--drawn"));
  return present([...hand.querySelectorAll(`[data-pai="${which}"]:not(.tile--drawn)`)].at(-1));
}

/** The newest meld is the first child. @param {HTMLElement} melds @param {string} part @param {number} at */
function inMeld(melds, part, at) {
  const meld = melds.children[melds.children.length - 1 - at];
  if (meld === undefined) return [];
  const turned = ".tile--turned";
  if (part === "called") return present(meld.querySelector(`:scope > ${turned}, .meld-stack > :last-child`));
  if (part === "added") return present(meld.querySelector(`.meld-stack > ${turned}`));
  return present(...meld.querySelectorAll(`.tile:not(${turned})`));
}

/** @param {...(Element | null | undefined)} nodes */
const present = (...nodes) => /** @type {HTMLElement[]} */ (nodes.filter((node) => node instanceof HTMLElement));
