"""The settings of a table: its rules and clock, who may watch and who may join.

`TableSettings` is handed on whole: from the form of a new table to the table before the game, to
the running table, to its line in the list of tables, and to a rematch. To add a setting, add a
field here and in the form (`lobby.play.forms`), and read it where it takes effect.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from game.engine.clock import ClockSettings
from game.engine.rules import RuleSet

CLOCKS: Final[dict[str, ClockSettings]] = {
    "5+10": ClockSettings(base_ms=5_000, bank_ms=10_000),
    "5+20": ClockSettings(base_ms=5_000, bank_ms=20_000),
    "15+30": ClockSettings(base_ms=15_000, bank_ms=30_000),
    "60+0": ClockSettings(base_ms=60_000, bank_ms=0, result_ms=60_000),
    "none": ClockSettings(base_ms=60_000, bank_ms=0, result_ms=60_000, is_unlimited=True),
}
"""The clocks by name: the seconds for each decision, and a bank for the hand. Without a clock, an
absent player times out after a minute. A result is shown at least as long as a decision may
take."""
DEFAULT_CLOCK: Final = "5+20"
MIN_DELAY_S: Final = 180
"""The shortest delay with which spectators see a finished hand, whatever the settings say."""
Watch = Literal["closed", "open_delayed", "closed_delayed", "nobody"]
"""What spectators see: "closed" the running table with closed hands, "open_delayed" finished hands
with open hands, "closed_delayed" finished hands with closed hands, "nobody" nothing."""
DELAYED: Final[tuple[Watch, ...]] = ("closed_delayed", "open_delayed")
"""The choices with which a hand is shown some time after its end."""
Purpose = Literal["", "standing", "practice"]
"""For what a table is open: "" for a game that is archived, "standing" for the site's own table of
bots, which they play while somebody watches, "practice" for a game against bots of somebody who
waits in a queue. The last two count nowhere."""
OpensAfter = Literal["hand", "game"]
"""What has to end before spectators see a hand with open hands."""


class TableSettings(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The settings of one table. Fields may be added anywhere: they are stored by name."""

    rules: RuleSet = RuleSet()
    clock: str = DEFAULT_CLOCK
    """The name of the clock, one of `CLOCKS`."""
    quick_bots: bool = False
    """Whether bots answer quickly if only one person plays."""
    help: bool = True
    """Whether players may ask for hints about their own hand (`study`)."""
    public: bool = True
    """Whether the table is on the public list, for players and spectators."""
    watch: Watch = "closed"
    watch_delay_s: int = 0
    """How long after its end a hand is shown, if finished hands are shown."""
    opens_after: OpensAfter = "game"
    """For "open_delayed" only. Rated games use "game"."""
    purpose: Purpose = ""
    may_join: bool = False
    """Whether anybody may take the seat of a player who has left."""
    password: str = ""
    """The hash of the password for a seat; empty if there is none."""
    has_officials: bool = False
    """Whether it is a table of a tournament: its officials alone stop the clocks and end the
    game."""
    club: str = ""
    """The address of the club whose table it is; '' for none. Its members find the table in the
    lobby of the club."""
    event: int = 0
    """The event of the club in which the game counts; 0 for none, and for tables of rounds."""
    event_table: int = 0
    """The table of the event's list whose game it is; 0 for none. Only its players play."""

    @property
    def is_archived(self) -> bool:
        """Whether the game is kept in the database after its end."""
        return not self.purpose

    @property
    def is_shown_delayed(self) -> bool:
        """Whether spectators see each hand with a delay after its end."""
        return self.watch in DELAYED

    @property
    def is_shown_live(self) -> bool:
        """Whether spectators see the running hand."""
        return self.watch == "closed"

    def clock_for(self, people: int) -> ClockSettings:
        """Return the times of the clock for a table with `people` persons; the other seats are
        bots."""
        clock = CLOCKS[self.clock]
        return quicken(clock) if self.quick_bots and people == 1 else clock


def quicken(clock: ClockSettings) -> ClockSettings:
    """Return the clock of a table with one person and bots that answer quickly. The reaction time
    after a discard keeps its length."""
    return replace(
        clock, bot_min_ms=50, bot_max_ms=400, lead_ms=200, reaction_ms=400, result_pause_ms=1_500
    )
