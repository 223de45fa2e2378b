"""The figures of a review, as they are stored and sent to pages.

Owns their shape. Fields with their default values are left out of the JSON. Pure.
"""

from __future__ import annotations

from typing import Final

import msgspec

VERSION: Final = 7
"""Of the figures. Stored reviews of an older version are computed again when somebody asks."""
COSTLIEST_LISTED: Final = 10
"""Decisions of each seat."""


class Danger(msgspec.Struct, frozen=True, omit_defaults=True):
    """The deal-in rate of a discard against one seat."""

    seat: int
    rate: float
    """From 0 to 1."""
    cases: int = 0
    """The counted discards behind the rate, with three players those behind the factor for three; 0
    for the estimate of the bot's model."""
    few: bool = False
    """Whether these are too few cases."""


class RiichiFigures(msgspec.Struct, frozen=True):
    """The figures of a discard with which riichi can be declared."""

    declared: int
    """Mean points of a ron over the unseen waiting tiles, 0 for tiles without a yaku. Ippatsu, ura
    dora, honba and sticks are left out."""
    silent: int
    """Mean points of such a ron without riichi."""
    gain: int
    """By how many points the bot rates the discard with riichi above the discard alone."""


class ChanceCurves(msgspec.Struct, frozen=True):
    """Chances by own draw, for a player who draws alone. Entry `d` is the chance, in per mille, to
    get there with exactly draw `d`; the sum of the entries up to it is the chance within `d` draws.
    Entry 0 is for the hand as it is."""

    tenpai: list[int]
    win: list[int]
    points: int
    """Expected points of the win within all draws, an upper bound."""


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One action that the seat could choose, with its figures."""

    action: str
    """'discard', 'chi', 'pon', 'kan', 'kita', 'pass', 'win' or 'abort'."""
    tile: str = ""
    """The discard; after chi and pon the one with the highest score."""
    laid: list[str] = []
    """The tiles of the hand that a call or a kan exposes, or the north that is set aside."""
    shanten: int | None = None
    """After the choice; None after a win and an abort."""
    useful: dict[str, int] = {}
    """Unseen copies by kind."""
    unseen: int = 0
    dangers: list[Danger] = []
    """Of the discard, against each seat in riichi or with open melds."""
    danger: float | None = None
    """The rate against any of these seats, from 0 to 1."""
    value: int = 0
    """Points that the bot expects of the hand after the choice; of a win the points that the seat
    gets, with honba and sticks, without ura dora."""
    cost: int = 0
    """Points that the bot expects to lose by the discard."""
    score: int = 0
    """Value less cost and, of a discard, less the usefulness of the tile; of a win what it is worth
    to the bot, with the loss that it avoids."""
    labels: list[str] = []
    """Some of 'fastest', 'safest', 'worth_most'."""
    riichi: RiichiFigures | None = None
    """Set if riichi can be declared with this discard."""
    curves: ChanceCurves | None = None
    """In a stored review only of the choice that was made and of the bot's
    (`game.reviews.all_curves` has the others)."""


class BotChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the strongest bot would do."""

    place: int
    """The choice of the bot, as a place in `choices`."""
    why: str
    """Why it differs: 'danger', 'speed', 'value' or 'shape' (the usefulness of the tile beyond the
    present shape) is the term in which its choice is ahead of the one that was made. 'players': it
    is ahead in none of them, but the bot follows strong players. 'riichi' and 'silent': it rates
    the same discard higher with or without riichi, 'rule' that it does not decide by the rating.
    'win' and 'abort' say what it does. 'same': its choice is the one that was made, or as good."""
    riichi: bool = False


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """A decision of one seat: on its own turn, or on an open tile that it could take."""

    at: int
    """The position before it: the index of the last event that a replay shows."""
    hand: int
    """The number of the hand in the game, from 0."""
    dealer: int
    seat: int
    turn: int
    """The number of the seat's next discard in the hand."""
    chosen: int
    """The choice that was made, as a place in `choices`."""
    choices: list[Choice]
    """Among discards, the one that the bot rates highest comes first."""
    bot: BotChoice
    loss: int = 0
    """By how many points the choice is worth less than the bot's (`game.reviews.losses`)."""
    place_loss: float = 0.0
    """The same in places of the final ranking."""
    worth: float = 0.0
    """What 1,000 points are worth to the seat in this hand, in places."""
    usual_loss: float = 0.0
    """The mean loss of strong players at this decision, in places."""
    stake: float = 0.0
    """What was at stake, in places: the worth of the best choice less the mean of all."""
    phase: str = ""
    """'efficiency', 'calls', 'riichi', 'defence' or 'last'."""
    severity: str = ""
    """A name of `game.analysis.severity`."""
    standing: bytes = b""
    """For each choice, by how much the network of strong players rates it below the one that it
    rates highest, in steps of 1/25; 255 if it does not rate it. The probability of a choice is
    proportional to exp(-steps / 25). Empty if it rates fewer than two choices."""
    gained: list[str] = []
    """What the choice gains against the bot's, as codes of `game.reviews.reasons`."""
    given_up: list[str] = []
    riichi: bool = False
    """The discard declared riichi."""
    claimed: str = ""
    """The open tile; empty on the own turn."""
    riichi_against: list[int] = []
    open_against: list[int] = []
    efficient: bool | None = None
    """Whether the discard counts as efficient; None if it does not count for the accuracy of
    efficiency."""
    safe: bool | None = None
    """Whether the discard counts as safe; None if it does not count for the accuracy of defence."""


class Accuracy(msgspec.Struct, frozen=True):
    """For each measure, the number of good discards and of all that count."""

    efficient: int = 0
    efficient_of: int = 0
    safe: int = 0
    safe_of: int = 0


class PhaseAccuracy(msgspec.Struct, frozen=True):
    """The accuracy in one phase."""

    phase: str
    """As in `Decision.phase`, or 'all'."""
    percent: float
    """From 0 to 100."""
    decisions: int
    """The decisions in which something was at stake."""


class Verdict(msgspec.Struct, frozen=True):
    """What the review says of a seat in the whole game."""

    accuracy: list[PhaseAccuracy]
    """That of all first, then of each phase with a decision."""
    severities: dict[str, int]
    """The number of decisions by severity."""
    luck: float
    """By how many places the result is better than the seat's choices explain."""
    luck_error: float
    """Half the width of its 95 % interval."""
    habit: str = ""
    """The kind of deviation that cost most (`game.reviews.verdicts`); '' if there is none."""
    habit_times: int = 0
    habit_loss: float = 0.0
    """What it cost in all, in places."""


class ReviewerColumn(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a reviewer would do at each decision."""

    name: str
    state: str
    """'queued', 'done', or 'failed': then it has answered a part of the questions or none."""
    choices: list[int] = []
    """By decision, the place of its choice; -1 if it gave no possible answer, or declares riichi
    with a discard that is not known."""
    riichi: list[int] = []
    """The decisions at which it declares riichi, as places in `decisions`."""
    failed: str = ""
    """Why it failed: 'start', 'ended', 'slow' or 'flood'."""


class Scale(msgspec.Struct, frozen=True):
    """The constants with which pages compute the loss of other choices."""

    step: float
    """The points of a step of `Decision.standing`."""
    silence: float
    """The part of riichi's gain that a turn without it costs."""
    severities: dict[str, float]
    """The least loss in places of each severity."""


class GameReview(msgspec.Struct, frozen=True):
    """The review of a game."""

    version: int
    decisions: list[Decision]
    """In the order in which they were made."""
    dearest: list[list[int]]
    """By seat: at most `COSTLIEST_LISTED` decisions with a loss, as places in `decisions`, the
    greatest loss of place first."""
    accuracy: list[Accuracy]
    """By seat."""
    verdicts: list[Verdict]
    """By seat."""
    places: list[list[float]]
    """The expected final place of each seat, before each hand; in the last row the place."""
    scale: Scale
    unlike_fitted: bool = False
    """Whether the rules differ from those of the strong players' games."""
    reviewers: list[ReviewerColumn] = []
    """One column for each reviewer."""
