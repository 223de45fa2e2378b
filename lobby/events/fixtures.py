"""Makes and changes the list of tables of an event, and reports its progress.

A fixture is a table with its players. They agree among themselves when they play within the season.
Its game counts once (`lobby.play.club_tables`).
"""

from __future__ import annotations

import csv
import math
import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from game.results.group_results import game_ends
from lobby.accounts.names import name_key
from lobby.accounts.transactions import change_locked
from lobby.events.annealing import count_repeats, cut_into_tables, even_out_meetings, fewest_repeats
from lobby.events.balanced import plan_balanced_groups
from lobby.events.offline import players_of
from lobby.events.registration import table_size_of
from lobby.models import Event, EventTable, Person, Ruling
from lobby.play.club_tables import has_game, table_ids_of


def step_of_games(players: int, table_size: int) -> int:
    """Return the smallest number of games for each player that fills all tables. Only its
    multiples are possible.
    """
    return table_size // math.gcd(players, table_size)


def make_fixture_tables(players: int, table_size: int, games: int, rng: Random) -> list[list[int]]:
    """Return the tables: players from 1. There are enough for one table, and `games` is a multiple
    of `games_step(players, table_size)`."""
    if players < table_size or games % step_of_games(players, table_size):
        raise ValueError(f"{players} players cannot play {games} games each")
    tables = _shared_tables(players, table_size, games, rng)
    if players % table_size == 0:
        rounds = plan_balanced_groups(players, table_size, games, rng)
        seated = [table for group in rounds for table in group]
        tables = min(seated, tables, key=lambda tables: count_repeats([tables], players))
    rng.shuffle(tables)
    return tables


def _shared_tables(players: int, table_size: int, games: int, rng: Random) -> list[list[int]]:
    """Search from several random orders; return the list of tables with the fewest repeated
    meetings. One search in forty for nine players ends with more of them than needed."""
    found: list[list[list[int]]] = []
    for _ in range(max(1, _PLAYERS_SEARCHED // players)):
        order = list(range(1, players + 1))
        rng.shuffle(order)
        tables = cut_into_tables(order * games, table_size)
        even_out_meetings([tables], 0, players, rng)
        found.append(tables)
        if count_repeats([tables], players) <= fewest_repeats(len(tables), table_size, players):
            break
    return min(found, key=lambda tables: count_repeats([tables], players))


MAX_FIXTURES: Final = 1_000
"""The most tables of the list of an event."""
MAX_GAMES: Final = 60
"""The most games of a player in a list that is made."""
_PLAYERS_SEARCHED: Final = 60
"""The most searches for a list, times its players, since a search takes longer with more players.
There is at least one."""

State = Literal["open", "running", "played"]


class FixturesRefused(Exception):
    """The list is not made. `code`: "few" (too few players for a table), "step" (the number of
    games has to be a multiple of `number`), "games" (not 1 to MAX_GAMES), "open" (tables of the
    list are still open), "many" (more than MAX_FIXTURES tables), "names" (line `number` does not
    have a name for each seat), "name" (nobody who plays has the name of line `number`, or two have
    it), "twice" (line `number` has a player twice), "empty" (no line has names)."""

    def __init__(self, code: str, number: int = 0) -> None:
        super().__init__(code)
        self.code = code
        self.number = number


@dataclass(frozen=True, slots=True)
class ListedFixture:
    """A table of the list."""

    key: int
    number: int
    players: tuple[Person, ...]
    """In the order of their names."""
    state: State
    table_id: str
    """The running or played game; '' for none and for a game at a real table."""
    void_table_id: str
    """The game that was broken off or declared void, '' for none."""

    def has(self, person: str) -> bool:
        return any(str(player.pk) == person for player in self.players)


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of fixtures that a player has played, and the players whom the player has not met
    yet.
    """

    player: Person
    played: int
    total: int
    to_meet: tuple[Person, ...]
    """The players with whom the player still has to play, in the order of their names."""


def fixtures_of(event: Event) -> list[ListedFixture]:
    """Return the list by number."""
    rows = event.tables.select_related("offline_game").prefetch_related("players")
    ends = game_ends(table_ids_of(event))
    void = event.rulings.filter(kind=Ruling.VOID, is_cancelled=False)
    ends |= dict.fromkeys(void.values_list("game", flat=True), True)
    return [_as_listed(row, ends) for row in rows]


def progress_of(fixtures: Iterable[ListedFixture]) -> list[Progress]:
    """Return the progress of everybody on the list, by name."""
    own: defaultdict[Person, list[ListedFixture]] = defaultdict(list)
    for fixture in fixtures:
        for player in fixture.players:
            own[player].append(fixture)
    rows = list[Progress]()
    for player, listed in sorted(own.items(), key=lambda row: _name_order(row[0])):
        left = [fixture for fixture in listed if fixture.state != "played"]
        others = {
            opponent for fixture in left for opponent in fixture.players if opponent != player
        }
        to_meet = tuple(sorted(others, key=_name_order))
        rows.append(Progress(player, len(listed) - len(left), len(listed), to_meet))
    return rows


def make_list(event: Event, games: int) -> int:
    """Make a list for all present participants, with that many games for each. Return the number of
    tables. Raises FixturesRefused."""
    players, table_size = players_of(event), table_size_of(event)
    if len(players) < table_size:
        raise FixturesRefused("few")
    if not 1 <= games <= MAX_GAMES:
        raise FixturesRefused("games")
    step = step_of_games(len(players), table_size)
    if games % step:
        raise FixturesRefused("step", step)
    if len(players) * games // table_size > MAX_FIXTURES:
        raise FixturesRefused("many")
    seed = secrets.randbits(64)
    tables = make_fixture_tables(len(players), table_size, games, Random(seed))

    def store(current: Event) -> int:
        if any(not has_game(fixture) for fixture in current.tables.all()):
            raise FixturesRefused("open")
        return _add_fixtures(
            current, [[players[number - 1] for number in table] for table in tables]
        )

    return change_locked(event, store)


def add_lines(event: Event, text: str) -> int:
    """Add tables from lines of CSV, each with the names of the players. A number may come first, as
    in the downloaded list. Return how many. Raises FixturesRefused."""
    tables = _read_lines(text, players_of(event), table_size_of(event))
    return change_locked(event, lambda current: _add_fixtures(current, tables))


def delete_fixture(event: Event, number: int) -> bool:
    """Delete that table of the list, unless it was played. A running game of it no longer counts.
    Return False if there is no such table."""

    def delete(current: Event) -> bool:
        listed = next(
            (fixture for fixture in fixtures_of(current) if fixture.number == number), None
        )
        if listed is None or listed.state == "played":
            return False
        current.tables.filter(number=number).delete()
        return True

    return change_locked(event, delete)


def delete_open(event: Event) -> None:
    """Delete every table of the list that has no running and no counted game."""

    def delete(current: Event) -> None:
        for fixture in current.tables.all():
            if not has_game(fixture):
                fixture.delete()

    change_locked(event, delete)


def _as_listed(row: EventTable, ends: dict[str, bool]) -> ListedFixture:
    """Return the table of the list with the state of its game. `ends` has the games that have
    ended, by table id: True for one that was broken off or is void."""
    players = tuple(sorted(row.players.all(), key=_name_order))
    table_id, void_table_id = row.table_id, ""
    state: State = "open"
    if getattr(row, "offline_game", None) is not None:
        state, table_id = "played", ""
    elif table_id and table_id not in ends:
        state = "running"
    elif table_id and ends[table_id]:
        table_id, void_table_id = "", table_id
    elif table_id:
        state = "played"
    return ListedFixture(row.pk, row.number, players, state, table_id, void_table_id)


def _read_lines(text: str, players: Sequence[Person], table_size: int) -> list[list[Person]]:
    known: defaultdict[str, list[Person]] = defaultdict(list)
    for player in players:
        known[name_key(player.name)].append(player)
    tables = list[list[Person]]()
    for line, row in enumerate(csv.reader(text.lstrip("\N{BOM}").splitlines()), start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (line == 1 and cells[0].lower() == "table"):
            continue
        if len(cells) > table_size and cells[0].isdecimal():
            cells = cells[1 : table_size + 1]
        if len(cells) != table_size:
            raise FixturesRefused("names", line)
        found = [known.get(name_key(cell), []) for cell in cells]
        if any(len(people) != 1 for people in found):
            raise FixturesRefused("name", line)
        table = [people[0] for people in found]
        if len(set(table)) < table_size:
            raise FixturesRefused("twice", line)
        tables.append(table)
    if not tables:
        raise FixturesRefused("empty")
    return tables


def _add_fixtures(event: Event, tables: Sequence[Sequence[Person]]) -> int:
    last = event.tables.order_by("-number").values_list("number", flat=True).first() or 0
    if event.tables.count() + len(tables) > MAX_FIXTURES:
        raise FixturesRefused("many")
    made = EventTable.objects.bulk_create(
        EventTable(event=event, number=number) for number in range(last + 1, last + 1 + len(tables))
    )
    seat = EventTable.players.through
    seat.objects.bulk_create(
        seat(eventtable_id=fixture.pk, person_id=player.pk)
        for fixture, table in zip(made, tables, strict=True)
        for player in table
    )
    return len(tables)


def _name_order(person: Person) -> tuple[str, str]:
    return person.name.casefold(), str(person.pk)
