/** Error of the times in messages, by rounding. */
const ROUNDED_MS = 2;

/** Estimates the server's clock from the quickest of the last eight round trips. */
export class ServerClock {
  /** @param {() => number} now the local clock, milliseconds */
  constructor(now) {
    this._now = now;
    /** @type {{trip: number, offset: number}[]} */
    this._samples = [];
    this._estimate = 0;
  }

  /** Set a first estimate from a frame that carries the server's time. @param {number} serverNow */
  setEstimate(serverNow) {
    this._estimate = serverNow - this._now();
  }

  /**
   * @param {number} sentAt local time at which the ping left
   * @param {number} serverNow server time in the pong
   */
  sample(sentAt, serverNow) {
    const receivedAt = this._now();
    const trip = receivedAt - sentAt;
    if (trip < 0) return;
    const sample = { trip, offset: serverNow - (sentAt + receivedAt) / 2 };
    if (!this._samples.every((other) => agree(sample, other))) this._samples = [];
    this._samples.push(sample);
    this._samples.splice(0, this._samples.length - 8);
  }

  /** Forget the round trips: the local clock may have been set, or the machine has slept. */
  reset() {
    this._samples = [];
  }

  /** The time on the server's clock. @returns {number} */
  now() {
    const best = this._samples.reduce((quickest, sample) => (sample.trip < quickest.trip ? sample : quickest), {
      trip: Infinity,
      offset: this._estimate,
    });
    return this._now() + best.offset;
  }
}

/**
 * Whether both samples fit one offset, each with an error of half its trip. If not, one of the
 * clocks was set in between.
 * @param {{trip: number, offset: number}} first
 * @param {{trip: number, offset: number}} second
 */
const agree = (first, second) => Math.abs(first.offset - second.offset) <= (first.trip + second.trip) / 2 + ROUNDED_MS;
