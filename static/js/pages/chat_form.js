/**
 * The chat of a page of the lobby: sends lines and reports without loading the page again, and keeps
 * the latest line in view. The socket of the page brings the lines.
 */

/** @param {HTMLElement} chat with a form for lines and one for reports, and the texts about both */
function sendWithoutLoading(chat) {
  const { done = "", failed = "" } = chat.dataset;
  const note = chat.querySelector(".chat-note");
  chat.querySelector("#chat-form")?.removeAttribute("hidden");
  chat.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const isReport = form.id === "chat-report";
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { Accept: "text/plain" },
      body: new FormData(form, event.submitter),
    }).catch(() => undefined);
    let text = isReport ? done : "";
    if (answer?.status === 422) text = await answer.text();
    else if (!answer?.ok) text = failed;
    else if (!isReport) form.reset();
    if (note) note.textContent = text;
  });
}

/** Show the latest line unless the reader has scrolled back. @param {HTMLElement} log */
function followLatest(log) {
  let isAtEnd = true;
  log.addEventListener("scroll", () => {
    isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  });
  const show = () => {
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  };
  new MutationObserver(show).observe(log, { childList: true, subtree: true });
  show();
}

/** Start the chat of the page, if it has one. */
export function startChat() {
  const chat = document.getElementById("chat");
  const log = chat?.querySelector(".chat-log");
  if (chat !== null) sendWithoutLoading(chat);
  if (log instanceof HTMLElement) followLatest(log);
}
