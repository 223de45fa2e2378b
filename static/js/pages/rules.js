/** The page of a rule set: a button that prints it. */
const button = document.querySelector("[data-print]");

if (button instanceof HTMLButtonElement) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
