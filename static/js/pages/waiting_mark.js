/**
 * Whether somebody waits for a game in this browser, so that other pages of the site can tell when it
 * is ready. The mark may be old: the server knows.
 */
const STORED_AS = "waiting";

/** @returns {string} `queue`, or `gathering` at a table before the game; empty for no wait */
export function waitingFor() {
  try {
    return localStorage.getItem(STORED_AS) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} place as the server names it; others than the two end the wait */
export function markWaiting(place) {
  try {
    if (place === "queue" || place === "gathering") localStorage.setItem(STORED_AS, place);
    else localStorage.removeItem(STORED_AS);
  } catch {
    // Without a store only pages of the lobby tell.
  }
}
