/** A question in a dialog over the table. */
import { el } from "./dom.js";

let questions = 0;

/**
 * Return the closed dialog of a question, appended to `root`.
 *
 * @param {HTMLElement} root
 * @param {string} title
 * @param {string} text
 * @param {HTMLButtonElement[]} buttons the last one has the focus at first
 */
export function question(root, title, text, ...buttons) {
  questions += 1;
  const heading = el("h2", "question-title", title);
  heading.id = `question-title-${questions}`;
  const body = el("p", "question-text", text);
  body.id = `question-text-${questions}`;
  const dialog = el("dialog", "question", heading, body, el("div", "question-buttons", ...buttons));
  const last = buttons.at(-1);
  if (last !== undefined) last.autofocus = true;
  dialog.setAttribute("aria-labelledby", heading.id);
  dialog.setAttribute("aria-describedby", body.id);
  // Keys pressed in the dialog are not for the table.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  root.append(dialog);
  return dialog;
}
