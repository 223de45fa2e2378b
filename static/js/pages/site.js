/**
 * What every page does once it has loaded: registers the service worker, and follows the reader's
 * search for a game if the reader is waiting for one. The mark of that is in the browser's store. It
 * may be old: the server knows.
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

const script = document.getElementById("site-script");

/** Let the page finish first. */
const later = (/** @type {() => void} */ act) =>
  document.readyState === "complete" ? act() : addEventListener("load", act, { once: true });

if (script !== null) {
  const { worker = "", ws = "", ...words } = script.dataset;
  later(() => {
    if (worker !== "") navigator.serviceWorker?.register(worker, { scope: "/" }).catch(() => undefined);
    // Where one waits, `lobby.js` does it.
    if (waitingFor() === "" || document.querySelector("#live-page[data-waits]") !== null) return;
    void import("./waiting.js").then(({ follow }) => follow(ws, words));
  });
}
