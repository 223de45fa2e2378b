/**
 * The call that an event shows over the table, and its weight.
 * @param {import("./types.js").TableEvent} event
 * @returns {{seat: number, call: string, weight: "call" | "riichi" | "win"} | null}
 */
export function callout(event) {
  switch (event.type) {
    case "chi":
    case "pon":
    case "daiminkan":
    case "ankan":
    case "kakan":
    case "kita":
      return { seat: event.actor, call: event.type, weight: "call" };
    case "reach":
      return { seat: event.actor, call: "reach", weight: "riichi" };
    case "hora": {
      const call = event.actor === event.target ? "tsumo" : "ron";
      return { seat: event.actor, call, weight: "win" };
    }
    default:
      return null;
  }
}
