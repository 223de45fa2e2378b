/** Where the reader waits for a game, in `localStorage`: all pages of the site read it. */
const STORED_AS = "waiting";

/** @returns {string} where the reader waits: in a `queue`, at a pregame table (`pregame`), or nowhere: empty */
export function storedWait() {
  try {
    return localStorage.getItem(STORED_AS) ?? "";
  } catch {
    return "";
  }
}

/** Store where the reader waits. @param {string} place as the server names it; removed unless it is one of the two */
export function storeWait(place) {
  try {
    if (place === "queue" || place === "pregame") localStorage.setItem(STORED_AS, place);
    else localStorage.removeItem(STORED_AS);
  } catch {
    // Without a store only pages of the lobby call the reader to a table.
  }
}
