/**
 * The profile page: each card is a form of its own. What was changed in other cards when one is saved is
 * kept in `sessionStorage` and filled in again on the next page, with a note that it is not saved yet.
 * Passwords are not kept.
 */
const STORED_AS = "profile";
const KEPT_MS = 60_000;

/** @typedef {[name: string, value: string, checked: boolean]} Kept */

/** @param {HTMLFormElement} form */
const fieldsOf = (form) =>
  [...form.elements].filter(
    (field) =>
      (field instanceof HTMLInputElement && !["hidden", "password"].includes(field.type)) ||
      field instanceof HTMLSelectElement,
  );

/** @param {HTMLInputElement} field */
const hasChoices = ({ type }) => type === "radio" || type === "checkbox";

/** @param {Element} field */
function isChanged(field) {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
  if (!(field instanceof HTMLInputElement)) return false;
  return hasChoices(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

/** The fields of a refused form have the sent values as their defaults. @param {HTMLFormElement} form */
const isUnsaved = (form) => form.querySelector(".has-error") !== null || fieldsOf(form).some(isChanged);

/** @param {HTMLFormElement} form @returns {Kept[]} */
const valuesOf = (form) =>
  fieldsOf(form).map((field) =>
    field instanceof HTMLInputElement
      ? [field.name, field.value, field.checked]
      : [/** @type {HTMLSelectElement} */ (field).name, /** @type {HTMLSelectElement} */ (field).value, false],
  );

/** @param {HTMLFormElement} form @param {Kept[]} values */
function fill(form, values) {
  for (const field of fieldsOf(form)) {
    if (field instanceof HTMLSelectElement) {
      const kept = values.find(([name]) => name === field.name);
      if (kept !== undefined) field.value = kept[1];
    } else if (field instanceof HTMLInputElement) {
      const isChoice = hasChoices(field);
      const kept = values.find(([name, value]) => name === field.name && (!isChoice || value === field.value));
      if (kept === undefined) continue;
      if (isChoice) field.checked = kept[2];
      else field.value = kept[1];
    }
  }
}

const forms = /** @type {HTMLFormElement[]} */ ([...document.querySelectorAll(".profile .card > form.fields")]);

/** @param {HTMLFormElement} form */
const cardOf = (form) => form.closest(".card")?.id ?? "";

/** @param {HTMLFormElement} sent */
function keepOthers(sent) {
  const unsaved = forms.filter((form) => form !== sent && isUnsaved(form));
  const cards = Object.fromEntries(unsaved.map((form) => [cardOf(form), valuesOf(form)]));
  try {
    sessionStorage.setItem(STORED_AS, JSON.stringify({ at: Date.now(), cards }));
  } catch {
    // Without a store the other cards lose their changes.
  }
}

function fillKept() {
  const text = sessionStorage.getItem(STORED_AS) ?? "null";
  sessionStorage.removeItem(STORED_AS);
  const kept = JSON.parse(text);
  if (kept === null || Date.now() - kept.at > KEPT_MS) return;
  for (const form of forms) {
    const values = kept.cards[cardOf(form)];
    if (values === undefined) continue;
    fill(form, values);
    const note = form.parentElement?.querySelector(".unsaved");
    if (note instanceof HTMLElement) note.hidden = false;
  }
}

try {
  fillKept();
} catch {
  // Without a store, or with a damaged one, the cards show what is saved.
}
for (const form of forms) form.addEventListener("submit", () => keepOthers(form));
