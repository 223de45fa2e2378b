/** Random bytes, SHA-256 and hexadecimal text. */

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
