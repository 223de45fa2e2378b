/**
 * Opens the first socket of a table's page while the other scripts are still on their way, and keeps
 * what the server sends meanwhile.
 */
import { PROTOCOL_VERSION, tableAddress } from "./net/socket.js";

const socket = new WebSocket(`${tableAddress()}?v=${PROTOCOL_VERSION}`);
/** Repeat what has come, to the handlers that the socket has by then. @type {(() => void)[]} */
const kept = [];
let isTaken = false;

socket.onopen = () => socket.send(JSON.stringify({ t: "hello", seq: 0 }));
socket.onmessage = (/** @type {MessageEvent} */ event) => kept.push(() => socket.onmessage?.(event));
socket.onclose = (/** @type {CloseEvent} */ event) => kept.push(() => socket.onclose?.(event));

/**
 * Hand the socket over to the caller, who sets its handlers at once. They then get what has come.
 * @returns {WebSocket | null} null after the first time
 */
export function takeFirstSocket() {
  if (isTaken) return null;
  isTaken = true;
  queueMicrotask(() => {
    for (const repeat of kept) repeat();
  });
  return socket;
}
