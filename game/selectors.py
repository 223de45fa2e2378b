"""What pages show of running tables and finished games."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.engine.state import Phase
from game.models import Game, GameSeat
from game.rooms.codec import TableSummary
from game.rooms.errors import NoSuchTable
from game.rooms.process import here
from game.rooms.room import Room, TableId

_SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """One of the four in the list of live tables."""

    name: str
    bot: bool
    score: int
    leads: bool


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A line in the list of live tables."""

    table_id: str
    round: str
    honba: int
    seats: tuple[ListedSeat, ...]


@dataclass(frozen=True, slots=True)
class Delta:
    """Points won or lost."""

    value: int

    @property
    def text(self) -> str:
        """With its sign; nothing is a dash."""
        return _signed(self.value) if self.value else "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A line in the list of a finished game's hands."""

    round: str
    ending: str
    deltas: tuple[Delta, ...]


@dataclass(frozen=True, slots=True)
class RankedSeat:
    """A line of a final ranking."""

    place: int
    name: str
    bot: bool
    is_you: bool
    score: int
    points: str


def round_name(kyoku: int) -> str:
    """Such as 'East 3'; `kyoku` counts the rounds from 0."""
    winds = (
        pgettext("winds.E", "East"),
        pgettext("winds.S", "South"),
        pgettext("winds.W", "West"),
        pgettext("winds.N", "North"),
    )
    name = pgettext("round", "{wind} {number}")
    return name.format(wind=winds[kyoku // 4 % 4], number=kyoku % 4 + 1)


async def live_tables() -> list[ListedTable]:
    """The public tables, the newest first. Raises RoomsUnavailable."""
    process = await here()
    return [_listed(summary) for summary in await process.service.live_tables()]


def _listed(summary: TableSummary) -> ListedTable:
    most = max(summary.scores)
    seats = (
        ListedSeat(name=name, bot=bot, score=score, leads=score == most)
        for name, bot, score in zip(summary.names, summary.bots, summary.scores, strict=True)
    )
    return ListedTable(summary.table_id, round_name(summary.kyoku), summary.honba, tuple(seats))


async def running_room(table_id: str) -> Room | None:
    """The table as it stands, None if there is no such. Raises RoomsUnavailable."""
    process = await here()
    try:
        return await process.service.room(TableId(table_id))
    except NoSuchTable:
        return None


async def has_running_seat(table_id: str, person: str) -> bool:
    """Whether that person sits at that table and its game goes on."""
    room = await running_room(table_id)
    if room is None or room.table.phase == Phase.ENDED:
        return False
    return room.seat_of(person) is not None


async def finished_game(table_id: str) -> Game | None:
    """The game that was played at that table, with its seats."""
    query = Game.objects.defer("log").prefetch_related("seats")
    return await query.filter(pk=table_id).afirst()


def ranking(seats: list[GameSeat], person: str) -> list[RankedSeat]:
    """The final ranking, the winner first."""
    return [
        RankedSeat(
            place=seat.place,
            name=seat.name,
            bot=bool(seat.bot),
            is_you=bool(person) and str(seat.person_id) == person,
            score=seat.score,
            points=_signed(seat.points, 1),
        )
        for seat in sorted(seats, key=lambda seat: seat.place)
    ]


def played_hands(game: Game, names: list[str]) -> list[PlayedHand]:
    """What happened, hand by hand."""
    return [
        PlayedHand(
            round=_hand_name(hand["kyoku"], hand["honba"]),
            ending="; ".join(_ending(result, names) for result in hand["results"]),
            deltas=tuple(
                Delta(sum(result["deltas"][seat] for result in hand["results"]))
                for seat in range(_SEATS)
            ),
        )
        for hand in game.hands
    ]


def _hand_name(kyoku: int, honba: int) -> str:
    return f"{round_name(kyoku)}-{honba}" if honba else round_name(kyoku)


def _ending(result: dict[str, Any], names: list[str]) -> str:
    if result["type"] == "ryukyoku":
        return _draw_names().get(result["reason"]) or str(result["reason"])
    winner, worth = names[result["actor"]], _worth(result)
    if result["actor"] == result["target"]:
        return _("%(winner)s, tsumo, %(worth)s") % {"winner": winner, "worth": worth}
    loser = names[result["target"]]
    told = {"winner": winner, "loser": loser, "worth": worth}
    return _("%(winner)s, ron from %(loser)s, %(worth)s") % told


def _signed(number: int | Decimal, decimals: int = 0) -> str:
    """As people of the reader's language write it, always with its sign."""
    sign = "\N{MINUS SIGN}" if number < 0 else "+" if number > 0 else ""
    return sign + number_format(str(abs(number)), decimals, use_l10n=True, force_grouping=True)


def _worth(result: dict[str, Any]) -> str:
    limits = {
        "mangan": pgettext("limits.mangan", "Mangan"),
        "haneman": pgettext("limits.haneman", "Haneman"),
        "baiman": pgettext("limits.baiman", "Baiman"),
        "sanbaiman": pgettext("limits.sanbaiman", "Sanbaiman"),
        "kazoe_yakuman": pgettext("limits.kazoe_yakuman", "Counted yakuman"),
        "yakuman": pgettext("limits.yakuman", "Yakuman"),
    }
    limit = limits.get(result["limit"])
    return limit or _("%(han)d han %(fu)d fu") % {"han": result["fan"], "fu": result["fu"]}


def _draw_names() -> dict[str, str]:
    return {
        "exhaustive": pgettext("draws.exhaustive", "Exhaustive draw"),
        "nagashi_mangan": pgettext("draws.nagashi_mangan", "Nagashi mangan"),
        "kyushu_kyuhai": pgettext("draws.kyushu_kyuhai", "Nine terminals and honours"),
        "sufon_renda": pgettext("draws.sufon_renda", "Four winds discarded"),
        "sucha_riichi": pgettext("draws.sucha_riichi", "Four riichi"),
        "sukaikan": pgettext("draws.sukaikan", "Four kans"),
        "sanchaho": pgettext("draws.sanchaho", "Three rons"),
    }
