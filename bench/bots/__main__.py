"""``python -m bench.bots``: compares bots by duplicate games, fits their networks to records, and
checks their danger model."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from bench.bots import quiet_seats
from bench.bots.comparison import Comparison, Result, play_deal, report
from bench.bots.danger_check import (
    discards_in,
    factor_lines,
    factors_of,
    games_in,
    lines_of,
    rows_of,
)
from bench.bots.fitting import agreement, collect, fit, parts_of
from bench.bots.outside import OutsideFailed
from bench.bots.recorded_decisions import calls_of, discards_of
from bench.bots.revisions import UnknownBot, bot_of
from bench.bots.table_cache import judges, read_into, tunes
from game.bots.network import NETWORKS, Network, read_networks, write_networks
from game.bots.table_network import FILE, read_weights, write_weights
from game.engine.events import Event, GameStarted
from game.engine.presets import ALL_PRESETS
from game.mjai_programs.spec import SpecError, read_spec

_BAR: Final = 30

GameEvents = Sequence[Event]


class Refused(Exception):
    """The arguments, records or programs cannot be used; the text says why."""


def main(arguments: Sequence[str]) -> None:
    """Carry out a command. Raises Refused."""
    options = vars(_parser().parse_args(arguments))
    if options["command"] == "compare":
        _compare(options)
    elif options["command"] == "fit":
        _fit(options["paths"], options["out"])
    elif options["command"] == "fit-table":
        _fit_table(options)
    else:
        _show_danger(options["paths"])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.bots", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    compare = commands.add_parser(
        "compare",
        help="one A against B at all other seats, or A, B, C and D (A, B and C by rules of three),"
        " each deal played with each in each seat",
    )
    compare.add_argument("a", metavar="A", help="a bot: NAME, or NAME@REVISION of this code")
    compare.add_argument("b", metavar="B", help="the second bot")
    compare.add_argument(
        "more",
        metavar="C D",
        nargs="*",
        help="the bots of the other seats; without them B plays there",
    )
    compare.add_argument("--games", type=int, default=400, help="rounded up to deals (400)")
    compare.add_argument("--seed", type=int, default=1, help="of the walls and choices (1)")
    compare.add_argument("--processes", type=int, default=1, help="(1)")
    rules = sorted(ALL_PRESETS)
    compare.add_argument(
        "--rules", choices=rules, default="tenhou", help="a preset of four or three (tenhou)"
    )
    compare.add_argument("--length", choices=("east", "east_south"), default="east", help="(east)")
    compare.add_argument(
        "--outside",
        action="append",
        default=[],
        metavar="NAME=STYLE COMMAND",
        help="a program that speaks mjai, whose NAME may be A, B, C or D; may be repeated",
    )
    compare.add_argument("--records", type=Path, help="a folder for mjai records of the games")

    danger = commands.add_parser(
        "danger",
        help="the probability to deal in to one riichi: by class, predicted and counted",
    )
    danger.add_argument(
        "paths", nargs="+", type=Path, help="records with the positions: files or folders"
    )

    fitting = commands.add_parser(
        "fit", help="fit the networks of the strongest bot to recorded games of strong players"
    )
    fitting.add_argument("paths", nargs="+", type=Path, help="records: files or folders")
    names = " or ".join(path.name for path in NETWORKS.values())
    fitting.add_argument("--out", type=Path, help=f"({names}, by the players of the records)")

    table = commands.add_parser(
        "fit-table",
        help="fit the network that sees the whole table, by PyTorch (requirements-fit.txt)",
    )
    table.add_argument("paths", nargs="+", type=Path, help="records of four: files or folders")
    table.add_argument(
        "--cache",
        type=Path,
        required=True,
        help="a folder for the decisions and the checkpoint; a fit goes on from what is there",
    )
    table.add_argument("--minutes", type=float, default=60, help="of the fit itself (60)")
    table.add_argument("--processes", type=int, default=2, help="(2)")
    table.add_argument("--seed", type=int, default=0, help="of the fit (0)")
    table.add_argument("--out", type=Path, default=FILE, help=f"({FILE.name})")
    return parser


def _fit_table(options: dict[str, Any]) -> None:
    try:
        import torch

        from bench.bots import table_fitting, table_report
    except ImportError:
        raise Refused("PyTorch is missing: pip install -r requirements-fit.txt") from None
    cache: Path = options["cache"]
    try:
        for done, parts in read_into(cache, options["paths"], options["processes"]):
            _show_bar("read games", done, parts)
        torch.set_num_threads(options["processes"])
        fitted = table_fitting.fit(
            cache, cache / "checkpoint.pt", options["minutes"], print, seed=options["seed"]
        )
        fitted = table_fitting.tempered(fitted, table_fitting.load(cache, tunes))
        judging = table_fitting.load(cache, judges)
    except (FileNotFoundError, ValueError) as error:
        raise Refused(str(error)) from None
    out: Path = options["out"]
    with out.open("wb") as file:
        write_weights(file, fitted, table_fitting.checks_of(fitted, judging))
    print(f"{out}: {out.stat().st_size} bytes")
    with NETWORKS[4].open("rb") as file:
        before = read_networks(file)
    with out.open("rb") as file:
        written = read_weights(file)
    for line in table_report.lines_of(written, before, judging):
        print(line)


def _fit(paths: list[Path], out: Path | None) -> None:
    games, players = _games_in(paths)
    out = out or NETWORKS[players]
    networks: dict[str, Network] = {}
    for name, decisions_of in (("discards", discards_of), ("calls", calls_of)):
        try:
            decisions = collect(map(decisions_of, _with_bar(games, f"read {name}")))
        except ValueError as error:
            raise Refused(str(error)) from None
        fitted, judging = parts_of(decisions)
        networks[name] = fit(fitted, after_epoch=partial(_show_bar, f"fit {name}"))
        print(
            f"{name}: {len(fitted.chosen)} decisions fitted, agreement in"
            f" {len(judging.chosen)} others {agreement(networks[name], judging):.1%}"
        )
    with out.open("wb") as file:
        write_networks(file, networks)
    print(f"{out}: {out.stat().st_size} bytes")


def _games_in(paths: list[Path]) -> tuple[list[GameEvents], int]:
    """Return the games of these records, and their number of players, which has to be the same."""
    try:
        games = [*games_in(paths)]
    except FileNotFoundError as error:
        raise Refused(str(error)) from None
    players = {
        event.rules.players for game in games for event in game if isinstance(event, GameStarted)
    }
    if len(players) > 1:
        raise Refused("these are records of three players and of four")
    return games, next(iter(players), 4)


def _show_danger(paths: list[Path]) -> None:
    games, players = _games_in(paths)
    discards = discards_in(games)
    rows = lines_of(rows_of(discards)) if players == 4 else factor_lines(factors_of(discards))
    for line in rows:
        print(line)
    for line in quiet_seats.lines_of(quiet_seats.count_quiet_seats(games)):
        print(line)


def _compare(options: dict[str, Any]) -> None:
    bots = (options["a"], options["b"], *options["more"])
    try:
        match = Comparison(
            bots,
            options["rules"],
            options["length"],
            options["seed"],
            tuple(read_spec(text) for text in options["outside"]),
            options["records"],
        )
        if len(bots) not in (2, match.players):
            most = {3: "three", 4: "four"}[match.players]
            raise Refused(
                f"two bots or {most} can be compared by the rules {match.rules}, not {len(bots)}"
            )
        for bot in match.bots:
            if match.program_of(bot) is None:
                bot_of(bot)
    except (UnknownBot, SpecError) as error:
        raise Refused(str(error)) from None
    if match.records is not None:
        match.records.mkdir(parents=True, exist_ok=True)
    deals = -(-options["games"] // match.players)
    if deals < 1:
        raise Refused("--games has to be at least 1")
    total = Result.empty(match)
    try:
        for played in _with_progress(_results(match, deals, options["processes"]), deals):
            total.merge(played)
    except OutsideFailed as error:
        raise Refused(str(error)) from None
    for line in report(match, total):
        print(line)


def _results(match: Comparison, deals: int, processes: int) -> Iterator[Result]:
    """Yield the results in the order of the deals."""
    play = partial(play_deal, match)
    if processes < 2:
        yield from map(play, range(deals))
        return
    with multiprocessing.Pool(min(processes, deals)) as pool:
        yield from pool.imap(play, range(deals))


def _with_bar(items: Sequence[GameEvents], text: str) -> Iterator[GameEvents]:
    for done, item in enumerate(items, 1):
        yield item
        _show_bar(text, done, len(items))


def _show_bar(text: str, done: int, total: int) -> None:
    """Show a progress bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        return
    filled = _BAR * done // total
    end = "\r\x1b[K" if done == total else ""
    sys.stderr.write(f"\r{'#' * filled}{'.' * (_BAR - filled)} {text} {done}/{total}{end}")
    sys.stderr.flush()


def _with_progress(results: Iterable[Result], deals: int) -> Iterator[Result]:
    """Yield the same results, and show a progress bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield from results
        return
    mean_ranks: list[float] = []
    for result in results:
        mean_ranks.extend(result.sides[0].mean_ranks)
        filled = _BAR * len(mean_ranks) // deals
        bar = "#" * filled + "." * (_BAR - filled)
        mean = sum(mean_ranks) / len(mean_ranks)
        sys.stderr.write(f"\r{bar} {len(mean_ranks)}/{deals} deals, mean rank {mean:.3f}")
        sys.stderr.flush()
        yield result
    sys.stderr.write("\r\x1b[K")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Refused as error:
        sys.exit(str(error))
