/**
 * Effects of events: motion, callouts, the display of a win, sounds, and a notification for a reader
 * who looks at another tab. Follows the settings; the game never waits for an effect.
 *
 * @import { Words } from "./table/names.js"
 * @import { TableEvent, View } from "./table/types.js"
 * @import { Board } from "./ui/board.js"
 */
import { Motion } from "./motion/motion.js";
import { settings } from "./settings.js";
import { Attention } from "./sound/attention.js";
import { cueOf, cueOfQuestion, cueOfWin } from "./sound/cues.js";
import { Sound } from "./sound/sound.js";
import { callout } from "./table/callouts.js";
import { placeOfSeat } from "./table/display.js";
import { followAppearance } from "./ui/appearance.js";
import { followSprite } from "./ui/tile.js";

/** The sound of a win follows its call after this time. */
const CALL_MS = 450;

export class Effects {
  /** @type {{q: number, phase: string} | null} */
  #question = null;
  /** A table loads it with its results. @type {import("./ui/win_moment.js").WinMoment | null} */
  winMoment = null;

  /** @param {HTMLElement} root @param {Words} say @param {Board} board */
  constructor(root, say, board) {
    this.say = say;
    this.board = board;
    followAppearance(root, settings);
    followSprite(root);
    this.motion = new Motion(root, board);
    this.sound = new Sound(settings);
    root.addEventListener("clock-urgent", () => this.sound.play("tick"));
    this.attention = new Attention(settings);
  }

  /**
   * @param {View} before
   * @param {View} after
   * @param {TableEvent} event
   * @param {number} bottom the seat at the bottom
   */
  apply(before, after, event, bottom) {
    this.motion.planMoves(before, after, event);
    this.sound.play(cueOf(event));
    if (event.type === "hora") {
      this.winMoment?.show(after);
      setTimeout(() => this.sound.play(cueOfWin(event)), CALL_MS);
    }
    if (event.type === "ryukyoku" || event.type === "start_kyoku") this.winMoment?.reset();
    const called = callout(event);
    if (called === null) return;
    const place = placeOfSeat(called.seat, bottom, after.hands.length);
    this.board.callOut(place, called.call, called.weight);
  }

  /** Drop effects that are under way, since the next view does not follow from an event. */
  reset() {
    this.motion.reset();
    this.winMoment?.reset();
  }

  /** @param {{q: number, phase: string} | null} question that waits for the reader */
  showQuestion(question) {
    this.sound.play(cueOfQuestion(this.#question, question));
    this.#question = question;
    this.attention.show(question?.q ?? -1, this.#callText(question?.phase ?? ""));
  }

  /** The text that calls the reader to a question of that phase. @param {string} phase */
  #callText(phase) {
    if (phase === "turn") return this.say.yourTurn;
    return phase === "claims" || phase === "showing" ? this.say.yourChoice : "";
  }
}
