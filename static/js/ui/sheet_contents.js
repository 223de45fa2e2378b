/** What the sheets of settings and help contain. One script, loaded when the first of them opens. */
export { gestures, keyTables } from "./help_sheet.js";
export { languageChoice } from "./languages.js";
export { preferences } from "./preferences.js";
