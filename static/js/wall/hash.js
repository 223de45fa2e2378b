/** Random bytes, SHA-256, signatures and hexadecimal text. */

/**
 * With Web Crypto, or with code of our own where the page has none.
 * @param {Uint8Array} data
 * @param {SubtleCrypto | undefined} [subtle]
 * @returns {Promise<Uint8Array>} 32 bytes
 */
export async function sha256(data, subtle = globalThis.crypto?.subtle) {
  if (subtle !== undefined) {
    const copy = new Uint8Array(data);
    return new Uint8Array(await subtle.digest("SHA-256", copy));
  }
  const own = await import("./sha256.js");
  return own.sha256(data);
}

const encoder = new TextEncoder();

/** @param {...(Uint8Array | string)} parts texts are in UTF-8 @returns {Uint8Array} one after the other */
function joined(...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  const all = new Uint8Array(bytes.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of bytes) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The SHA-256 of these parts, one after the other. @param {...(Uint8Array | string)} parts texts are in UTF-8 */
export const hash = (...parts) => sha256(joined(...parts));

/** @param {number} number @returns {Uint8Array} four bytes, the highest first */
export const fourBytes = (number) => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);

/** @param {string} text @returns {Uint8Array} its length and its bytes */
export function field(text) {
  const bytes = encoder.encode(text);
  return joined(fourBytes(bytes.length), bytes);
}

/** @param {readonly string[]} row by seat, in hexadecimal @returns {Uint8Array} 01 and the bytes of each seat, or 00 */
export const four = (row) => joined(...row.map((hex) => fromHex(hex === "" ? "00" : `01${hex}`)));

/**
 * Whether that is the server's signature of the binding (Ed25519). All are in hexadecimal.
 * @param {{binding: string, key: string, signature: string}} signed
 * @param {SubtleCrypto | undefined} [subtle]
 * @returns {Promise<boolean | null>} null where the browser cannot check it: there is no Web Crypto over plain http
 */
export async function isSigned({ binding, key, signature }, subtle = globalThis.crypto?.subtle) {
  if (!isHash(key) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  if (subtle === undefined) return null;
  const text = joined("riichi wall signature 2", fromHex(binding));
  try {
    const known = await subtle.importKey("raw", new Uint8Array(fromHex(key)), "Ed25519", false, ["verify"]);
    return await subtle.verify("Ed25519", known, new Uint8Array(fromHex(signature)), new Uint8Array(text));
  } catch (error) {
    return error instanceof DOMException && error.name === "NotSupportedError" ? null : false;
  }
}

/**
 * The binding of version 2: the hash of all that the server has fixed.
 * @param {object} facts in hexadecimal
 * @param {string} facts.table
 * @param {string} facts.terms the hash of the seats and the rules
 * @param {number} facts.draw
 * @param {readonly string[]} facts.commitments
 * @param {string} facts.secret_hash
 * @param {readonly number[]} facts.left_out the seats whose pages did not reveal before
 * @param {string} facts.previous the binding of the draw before
 */
export async function bindingOf({ table, terms, draw, commitments, secret_hash, left_out, previous }) {
  const mask = Uint8Array.of(left_out.reduce((bits, seat) => bits | (1 << seat), 0));
  const begin = ["riichi wall binding 2", field(table), fromHex(terms), fourBytes(draw), four(commitments)];
  return toHex(await hash(...begin, fromHex(secret_hash), mask, fromHex(previous)));
}

/** @returns {string} 32 random bytes in hexadecimal */
export const randomHex = () => toHex(crypto.getRandomValues(new Uint8Array(32)));

/** @param {Uint8Array} data */
export const toHex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} hex @returns {Uint8Array} */
export const fromHex = (hex) =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16));

/** Whether the text is 32 bytes in lower-case hexadecimal. @param {unknown} text */
export const isHash = (text) => typeof text === "string" && /^[0-9a-f]{64}$/.test(text);

/** The commitment to a contribution. @param {string} contribution @returns {Promise<string>} both in hexadecimal */
export const commitmentTo = async (contribution) => toHex(await sha256(fromHex(contribution)));
