/**
 * What this browser keeps of the walls in which it took part, by table and draw: its contribution,
 * and what was published before it was revealed. A reload goes on with it, and it is compared with
 * the record after the game. All tabs of the browser share it.
 *
 * @import { OwnDraw, publishedOf } from "./state.js"
 * @typedef {{seat: number, draws: Record<number, OwnDraw>}} KeptTable
 * @typedef {Pick<Storage, "getItem" | "setItem">} Store
 */

export const STORED_AS = "wall-receipts";
const MAX_TABLES = 100;

export class Receipts {
  /** @type {Record<string, KeptTable>} the receipts, for a browser that stores nothing */
  #memory = {};

  /** @param {Store | null} [store] null where nothing can be stored */
  constructor(store = browserStore()) {
    this.store = store;
  }

  /** @param {string} table @returns {KeptTable | null} */
  of(table) {
    return this.#read()[table] ?? null;
  }

  /** @param {string} table @param {number} seat @param {number} draw @param {OwnDraw} own */
  keep(table, seat, draw, own) {
    const all = this.#read();
    const draws = { ...all[table]?.draws, [draw]: own };
    delete all[table]; // the newest are the last
    all[table] = { seat, draws };
    this.#memory = Object.fromEntries(Object.entries(all).slice(-MAX_TABLES));
    try {
      this.store?.setItem(STORED_AS, JSON.stringify(this.#memory));
    } catch {
      this.store = null; // full or forbidden: what is kept lasts as long as the page
    }
  }

  /** @returns {Record<string, KeptTable>} */
  #read() {
    if (this.store === null) return this.#memory;
    try {
      const found = JSON.parse(this.store.getItem(STORED_AS) ?? "{}");
      return found !== null && typeof found === "object" ? found : {};
    } catch {
      return {};
    }
  }
}

/**
 * The file that a player saves.
 * @param {string} table
 * @param {number | null} seat null for a spectator
 * @param {number} draw
 * @param {Partial<ReturnType<typeof publishedOf>>} published
 * @param {string} contribution empty if it must not be shown yet, or there is none
 */
export function receiptOf(table, seat, draw, { commitments, binding, ...signed }, contribution) {
  const receipt = { table, draw, seat, commitments, binding, contribution };
  // An older server signs nothing.
  return signed.signature ? { version: 2, ...receipt, ...signed } : { version: 1, ...receipt };
}

/** @returns {Store | null} */
function browserStore() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
