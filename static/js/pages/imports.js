/**
 * The page for games of other sites: refuses a record that is too large before it is sent, because
 * the server ends such a connection without a page.
 */
const form = document.querySelector(".imports-form");
const refusal = document.getElementById("refusal");

/** @param {FormData} sent @returns {number} bytes */
function size(sent) {
  const file = sent.get("file");
  const text = sent.get("text");
  const ofText = typeof text === "string" ? new Blob([text]).size : 0;
  return file instanceof File && file.size > 0 ? Math.max(file.size, ofText) : ofText;
}

if (form instanceof HTMLFormElement && refusal instanceof HTMLElement) {
  form.addEventListener("submit", (event) => {
    if (size(new FormData(form)) <= Number(form.dataset.maxBytes)) return;
    event.preventDefault();
    refusal.textContent = refusal.dataset.tooLarge ?? "";
    refusal.scrollIntoView({ block: "nearest" });
  });
}
