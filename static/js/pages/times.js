/**
 * Times as the reader's clock has them: the page is written with those of UTC, and keeps them
 * where there are no scripts.
 */
const language = document.documentElement.lang || undefined;
const own = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

for (const time of document.querySelectorAll("time[datetime]")) {
  if (!(time instanceof HTMLTimeElement)) continue;
  const moment = new Date(time.dateTime);
  if (Number.isNaN(moment.getTime())) continue;
  time.title = (time.textContent ?? "").trim();
  time.textContent = own.format(moment);
}
