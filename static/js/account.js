/**
 * Settings of an account: the page contains them, this browser applies them, and sends changes to
 * the server. Without an account the settings stay in the browser.
 */
import { DEFAULTS, isValid, settings } from "./settings.js";

/**
 * @import { Key, Settings } from "./settings.js"
 */

const SEND_AFTER_MS = 800;

/**
 * Apply the account's settings. Settings that the account does not have get their defaults.
 * @param {Settings} settings @param {unknown} stored null for an account that has set nothing
 */
export function applySettings(settings, stored) {
  if (stored === null || typeof stored !== "object") return;
  const values = { ...DEFAULTS, ...stored };
  for (const [key, value] of Object.entries(values)) {
    if (isValid(key, value)) settings.set(/** @type {Key} */ (key), /** @type {any} */ (value));
  }
}

/** @param {HTMLElement} root with `data-settings` if somebody is signed in */
export function followAccount(root) {
  const { settings: stored, settingsTo = "", token = "" } = root.dataset;
  if (stored === undefined) return;
  applySettings(settings, JSON.parse(stored));
  let timer = 0;
  const send = () => {
    timer = 0;
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    const body = JSON.stringify(settings.changed());
    fetch(settingsTo, { method: "POST", headers, body, keepalive: true }).catch(() => undefined);
  };
  settings.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(send, SEND_AFTER_MS);
  });
  addEventListener("pagehide", () => {
    if (timer === 0) return;
    clearTimeout(timer);
    send();
  });
}
