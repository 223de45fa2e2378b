/**
 * The reader's page as a participant in the draw of the wall: commits to random bytes, and reveals
 * them after the server has published its hash. Reveals only if the published list has its commitment,
 * the hash covers what was published and is signed.
 *
 * @import { Receipts } from "./receipts.js"
 * @import { OwnDraw, Participation, Wall } from "./state.js"
 */
import { bindingOf, commitmentTo, isHash, isSigned, randomHex } from "./hash.js";
import { publishedOf, participation } from "./state.js";

export class DrawParticipant {
  /** @type {Participation} */
  participation = "none";
  /** @type {Set<string>} what was sent over this connection */
  #sent = new Set();
  /** @type {Record<number, OwnDraw>} by draw what this page has committed to */
  #committed = {};
  /** @type {{wall: Wall, you: number | null} | null} */
  #next = null;
  #isBusy = false;
  /** @type {{binding: string, isSound: boolean} | null} what the last binding was found to be */
  #sound = null;

  /**
   * @param {string} table
   * @param {object} parts
   * @param {Receipts} parts.receipts
   * @param {(message: object) => void} parts.send
   * @param {() => void} parts.changed called when `participation` has changed
   * @param {() => string} [parts.random]
   */
  constructor(table, { receipts, send, changed, random = randomHex }) {
    this.table = table;
    this.receipts = receipts;
    this.send = send;
    this.changed = changed;
    this.random = random;
  }

  /** What this browser keeps of the draws of this table. @returns {Record<number, OwnDraw>} */
  get kept() {
    return this.receipts.of(this.table)?.draws ?? {};
  }

  /**
   * Follow the table to this state of the wall.
   * @param {Wall} wall
   * @param {number | null} you
   * @param {boolean} isNew over a connection over which nothing has been sent yet
   */
  async follow(wall, you, isNew = false) {
    if (isNew) this.#sent.clear();
    this.#next = { wall, you };
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (this.#next !== null) {
        const { wall, you } = this.#next;
        this.#next = null;
        await this.#step(wall, you);
      }
    } finally {
      this.#isBusy = false;
    }
  }

  /** @param {Wall} wall @param {number | null} you */
  async #step(wall, you) {
    if (you !== null) this.#keepAccepted(wall, you);
    let found = participation(wall, you, this.kept);
    if (you !== null && found === "in" && !(await this.#isSound(wall))) found = "unsound";
    if (you !== null && found === "asked") await this.#commit(wall, you);
    if (you !== null && found === "in" && wall.state === "reveal" && wall.contributions[you] === "") {
      this.#reveal(wall, you);
    }
    const own = this.kept[wall.draw];
    if (you !== null && found === "in" && wall.state === "fixed" && own.fixed !== true) {
      this.receipts.keep(this.table, you, wall.draw, { ...own, fixed: true });
    }
    if (found === this.participation) return;
    this.participation = found;
    this.changed();
  }

  /**
   * Keep the bytes that the server has accepted from this page: two tabs that commit at the same
   * moment may not see what the other keeps, and overwrite it.
   * @param {Wall} wall
   * @param {number} you
   */
  #keepAccepted({ draw, commitments }, you) {
    const own = this.#committed[draw];
    if (own?.commitment === commitments[you] && this.kept[draw]?.commitment !== own.commitment) {
      this.receipts.keep(this.table, you, draw, own);
    }
  }

  /**
   * Whether the server's hash covers what it has published, and is signed. A browser that cannot
   * check signatures keeps them for later.
   * @param {Wall} wall
   */
  async #isSound(wall) {
    const { signature, binding, previous, draw } = wall;
    if (wall.state === "commit" || !signature) return true; // not bound yet, or by an older server
    if (this.#sound?.binding === binding) return this.#sound.isSound;
    const before = this.kept[draw - 1]?.binding;
    const isChained = before === undefined || before === previous;
    const covered = isChained && (await bindingOf({ table: this.table, ...wall })) === binding;
    this.#sound = { binding, isSound: covered && (await isSigned(wall)) !== false };
    return this.#sound.isSound;
  }

  /** @param {Wall} wall @param {number} you */
  async #commit({ draw }, you) {
    // This page sends no second bytes for a draw: the server may have accepted the first ones,
    // although another tab has overwritten what the browser keeps.
    this.#committed[draw] ??= await this.#bytesFor(draw, you);
    const { commitment, binding } = this.#committed[draw];
    if (binding !== undefined) return; // revealed: the server knows these bytes
    this.#sendOnce(`commit ${draw}`, { t: "wall_commit", draw, commitment });
  }

  /** The kept bytes for that draw, or new ones. @param {number} draw @param {number} you */
  async #bytesFor(draw, you) {
    if (this.kept[draw] === undefined) {
      const contribution = this.random();
      const commitment = await commitmentTo(contribution);
      // Another tab may have been quicker; both then have the same bytes.
      if (this.kept[draw] === undefined) {
        this.receipts.keep(this.table, you, draw, { contribution, commitment });
      }
    }
    return this.kept[draw];
  }

  /** @param {Wall} wall @param {number} you */
  #reveal(wall, you) {
    const { draw } = wall;
    if (!isHash(wall.binding)) return;
    const own = { ...this.kept[draw], ...publishedOf(wall) };
    this.#committed[draw] = own;
    this.receipts.keep(this.table, you, draw, own);
    this.#sendOnce(`reveal ${draw}`, { t: "wall_reveal", draw, contribution: own.contribution });
  }

  /** @param {string} key @param {object} message */
  #sendOnce(key, message) {
    if (this.#sent.has(key)) return;
    this.#sent.add(key);
    this.send(message);
  }
}
