/**
 * The page that creates a table: loads the switches of the chosen rules, with the clock and the
 * length of saved ones, and shows the field of the spectators' delay only where there is one.
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
  const base = place.querySelector("[name=base]");
  if (base instanceof HTMLInputElement) {
    choose("clock", base.dataset.clock);
    choose("length", base.dataset.length);
  }
}

/** Choose the value of a field if the saved rules have one. @param {string} name @param {string} [value] */
function choose(name, value) {
  const field = document.querySelector(`select[name=${name}]`);
  if (field instanceof HTMLSelectElement && value) field.value = value;
}

if (rules instanceof HTMLSelectElement && switches !== null) {
  const button = document.querySelector(".show-rules");
  if (button instanceof HTMLElement) button.hidden = true;
  rules.addEventListener("change", () => {
    loadSwitches(switches, rules.value).catch(() => undefined);
  });
}

if (watching instanceof HTMLSelectElement) {
  const delay = document.querySelector("[name=delay_minutes]")?.closest(".field");
  const showDelay = () => {
    if (delay instanceof HTMLElement) delay.hidden = !watching.value.endsWith("_delayed");
  };
  watching.addEventListener("change", showDelay);
  showDelay();
}
