/**
 * What every page does once it has loaded: registers the service worker, and follows the reader's
 * search for a game if the reader is waiting for one.
 */
import { waitingFor } from "./waiting_mark.js";

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
