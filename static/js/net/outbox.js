/**
 * Holds the pending answer; there is at most one. A question can be answered again only after the
 * server has refused the answer.
 */
export class Outbox {
  /** @param {string} prefix the start of the command ids of this page, which no other page has */
  constructor(prefix) {
    this._prefix = prefix;
    this._count = 0;
    /** @type {number | null} the question last answered */
    this._answered = null;
    /** @type {{cid: string, q: number, a: {type: string}} | null} sent, not yet acknowledged */
    this.pending = null;
  }

  /** @param {number} q @returns {boolean} whether question `q` may still be answered */
  isOpen(q) {
    return this._answered !== q && this.pending === null;
  }

  /**
   * @param {number} q
   * @param {{type: string}} a
   * @returns {boolean} false if the question has been answered already
   */
  put(q, a) {
    if (!this.isOpen(q)) return false;
    this._count += 1;
    this._answered = q;
    this.pending = { cid: `${this._prefix}-${this._count}`, q, a };
    return true;
  }

  /** The server has carried out the answer. @param {string} cid */
  acknowledge(cid) {
    if (this.pending?.cid === cid) this.pending = null;
  }

  /**
   * The server refused it: the question may be answered again.
   * @param {string | undefined} cid
   * @returns {boolean} whether an action other than a pass was dropped
   */
  refuse(cid) {
    if (cid === undefined || this.pending?.cid !== cid) return false;
    this._answered = null;
    return this._drop();
  }

  /**
   * Adjust to a `sync` with `q` as the open question: drop an answer to an older question.
   * @param {number} q
   * @returns {boolean} whether an action other than a pass was dropped
   */
  reconcile(q) {
    if (this.pending === null) this._answered = null;
    else if (this.pending.q !== q) return this._drop();
    return false;
  }

  _drop() {
    const isPass = this.pending?.a.type === "none";
    this.pending = null;
    return !isPass;
  }
}
