/**
 * Buttons that copy the field before them, such as a link of an invitation. They are hidden without
 * scripts.
 */
for (const button of document.querySelectorAll("button[data-copy]")) {
  const field = button.parentElement?.querySelector("input");
  if (!(button instanceof HTMLButtonElement) || !field) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    field.select();
    navigator.clipboard?.writeText(field.value).catch(() => undefined);
  });
}
