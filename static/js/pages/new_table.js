/**
 * The page that creates a table: loads the switches of the chosen rules, and shows the field of
 * the spectators' delay only where there is one.
 */
const rules = document.querySelector("select[name=preset]");
const watching = document.querySelector("select[name=watch]");
const switches = document.getElementById("switches");

/** @param {HTMLElement} place @param {string} preset */
async function loadSwitches(place, preset) {
  const address = (place.dataset.from ?? "").replace("PRESET", encodeURIComponent(preset));
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  place.replaceChildren(...page.body.childNodes);
}

if (rules instanceof HTMLSelectElement && switches !== null) {
  const button = document.querySelector(".show-rules");
  if (button instanceof HTMLElement) button.hidden = true;
  rules.addEventListener("change", () => {
    loadSwitches(switches, rules.value).catch(() => undefined);
  });
}

if (watching instanceof HTMLSelectElement) {
  const delay = document.querySelector("[name=delay_min]")?.closest(".field");
  const showDelay = () => {
    if (delay instanceof HTMLElement) delay.hidden = watching.value !== "open_delayed";
  };
  watching.addEventListener("change", showDelay);
  showDelay();
}
