/**
 * Finds the elements at the spots of a plan.
 *
 * @import { Place } from "../table/display.js"
 * @import { Board } from "../ui/board.js"
 */

/** @param {string} spot of a seat */
export const seatOf = (spot) => Number(spot.split(":")[1]);

/**
 * @param {Board} board
 * @param {string} spot as in `plan.js`
 * @returns {{nodes: HTMLElement[], place: Place}} the elements, and the side of the table as seen from which
 *   they are turned
 */
export function elementsAt(board, spot) {
  const [part, seat, which = ""] = spot.split(":");
  if (part === "dora") return { nodes: present(board.info.querySelectorAll(".tile")[Number(seat)]), place: "bottom" };
  const place = board.placeOf(Number(seat));
  const side = board.sides[place];
  switch (part) {
    case "hand":
      return { nodes: inHand(side.hand, which), place };
    case "river":
      return { nodes: present(side.river.querySelectorAll(".tile")[Number(which)]), place };
    case "north":
      return { nodes: present(side.melds.querySelectorAll(".norths > .tile")[Number(which)]), place };
    case "stick":
      return { nodes: present(board.centre.querySelector(`.stick--${place}`)), place: "bottom" };
    default:
      return { nodes: inMeld(side.melds, part, Number(which)), place };
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
  const meld = [...melds.querySelectorAll(":scope > .meld:not(.norths)")].at(-1 - at);
  if (meld === undefined) return [];
  const turned = ".tile--turned";
  if (part === "called") return present(meld.querySelector(`:scope > ${turned}, .meld-stack > :last-child`));
  if (part === "added") return present(meld.querySelector(`.meld-stack > ${turned}`));
  return present(...meld.querySelectorAll(`.tile:not(${turned})`));
}

/** @param {...(Element | null | undefined)} nodes */
const present = (...nodes) => /** @type {HTMLElement[]} */ (nodes.filter((node) => node instanceof HTMLElement));
