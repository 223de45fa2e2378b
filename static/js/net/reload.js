/**
 * Tell whether a page with another protocol version than its server may reload itself: once in a
 * tab for each version, so that it never reloads without end.
 *
 * @typedef {Pick<Storage, "getItem" | "setItem">} Store
 */
const KEY = "table.reloaded";

/**
 * @param {number} version that the page speaks
 * @param {Store | null} store lasts as long as the tab; null where there is none
 * @returns {boolean} noted in the store, so that it is true once
 */
export function mayReload(version, store) {
  try {
    if (store === null || store.getItem(KEY) === `${version}`) return false;
    store.setItem(KEY, `${version}`);
    return true;
  } catch {
    return false; // Without a note it would reload without end.
  }
}
