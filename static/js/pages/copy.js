/**
 * The buttons that copy a link or a token: each belongs to the field before it. Without scripts they
 * stay hidden.
 */
for (const button of document.querySelectorAll("button[data-copy]")) {
  const field = button.previousElementSibling;
  if (!(button instanceof HTMLButtonElement) || !(field instanceof HTMLInputElement)) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    field.select();
    const done = () => {
      button.textContent = button.dataset.copy || button.textContent;
    };
    void navigator.clipboard?.writeText(field.value).then(done, () => undefined);
  });
}
