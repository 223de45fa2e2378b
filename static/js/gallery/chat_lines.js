/** Lines of the chat for the gallery. */
export const CHAT_LINES = [
  { id: "t1-0", at: 1, who: "anna", name: "Anna-Katharina", seat: 0, text: "", phrase: "hello" },
  { id: "t2-0", at: 2, who: "haru", name: "Haru", seat: 1, text: "Good evening to all of you", phrase: "" },
  { id: "t3-0", at: 3, who: "fuyu", name: "Fuyu", seat: null, text: "<b>not bold</b> 5z \u{1f004}", phrase: "" },
  { id: "t4-0", at: 4, who: "", name: "", seat: null, text: "a".repeat(120), phrase: "" },
  { id: "t5-0", at: 5, who: "haru", name: "Haru", seat: 1, text: "", phrase: "moment" },
  { id: "t6-0", at: 6, who: "anna", name: "Anna-Katharina", seat: 0, text: "Take your time.", phrase: "" },
];
