/**
 * SHA-256 (FIPS 180-4) for pages without Web Crypto: browsers offer that only over https and on
 * localhost, not at `http://` addresses of a local network.
 */

/** The first 64 primes. @type {number[]} */
const PRIMES = [];
for (let number = 2; PRIMES.length < 64; number += 1) {
  if (PRIMES.every((prime) => number % prime !== 0)) PRIMES.push(number);
}

/** The first 32 bits of the fraction. @param {number} root */
const fraction = (root) => Math.floor((root % 1) * 2 ** 32) | 0;
const ROUND_CONSTANTS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** @param {number} word @param {number} bits */
const rotated = (word, bits) => (word >>> bits) | (word << (32 - bits));

/** @param {Uint8Array} data at most 2^29 bytes @returns {Uint8Array} 32 bytes */
export function sha256(data) {
  const padded = new Uint8Array(((data.length + 72) >> 6) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const blocks = new DataView(padded.buffer);
  blocks.setUint32(padded.length - 4, data.length * 8);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let start = 0; start < padded.length; start += 64) {
    for (let at = 0; at < 64; at += 1) {
      if (at < 16) {
        words[at] = blocks.getInt32(start + 4 * at);
        continue;
      }
      const [early, late] = [words[at - 15], words[at - 2]];
      const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
      const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
      words[at] = words[at - 16] + first + words[at - 7] + second;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at += 1) {
      const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const chosen = (e & f) ^ (~e & g);
      const one = (h + sum1 + chosen + ROUND_CONSTANTS[at] + words[at]) | 0;
      const sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const two = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] += word;
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [at, word] of state.entries()) digest.setInt32(4 * at, word);
  return new Uint8Array(digest.buffer);
}
