/**
 * The buttons that copy a link or a token: each belongs to the field before it. Without scripts they
 * stay hidden.
 */
const SHOWN_MS = 2_000;

for (const button of document.querySelectorAll("button[data-copy]")) {
  const field = button.previousElementSibling;
  if (!(button instanceof HTMLButtonElement) || !(field instanceof HTMLInputElement)) continue;
  button.hidden = false;
  const label = button.textContent;
  let timer = 0;
  button.addEventListener("click", () => {
    field.select();
    const done = () => {
      button.textContent = button.dataset.copy || label;
      clearTimeout(timer);
      timer = setTimeout(() => (button.textContent = label), SHOWN_MS);
    };
    void navigator.clipboard?.writeText(field.value).then(done, () => undefined);
  });
}
