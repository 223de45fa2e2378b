"""Measures what pages cost players: ``python -m bench.pages [--serves all|separate]``.

Four people at each of some tables play at human pace. For each address of the site, by GET and by
POST, eight connections load it again and again for some seconds, and the program compares how long
a discard takes to reach the other players with the seconds before. The addresses come from the URL
resolver, so that new ones are included; the dearest are measured again for longer. With `all` one
server has pages and tables, with `separate` each has its own.

Exits with 1 if the 99th percentile rises by more than the aim. On a busy machine the figures of a
single address vary: it counts only if it is above the aim three times.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

import psutil
from django.urls import get_resolver

from bench import report
from bench.loaded_site import Load, fill_tables, sign_in_fours, start_site
from bench.socket_clients import Counts, abort_sockets, keep_pinging
from tests.kit.routes import is_admin_route, list_routes
from tests.kit.site_scripts import run_script
from tests.web.site import RunningSite

Roles = Literal["all", "separate"]
AIM_MS: Final[dict[Roles, float]] = {"all": 100.0, "separate": 25.0}
"""The greatest rise of the 99th percentile."""
CONNECTIONS: Final = 8
SLOWEST_COUNT: Final = 10
TRIES: Final = 3
_ANSWER_WITHIN_S: Final = 60.0
_PARAMETER: Final = re.compile(r"<(?:(\w+):)?(\w+)>")
_UNKNOWN_VALUES: Final = {"uuid": "00000000-0000-4000-8000-000000000000", "int": "1"}
_MAKE_OBJECTS: Final = """
import json
from datetime import timedelta
from django.utils import timezone
from game.models import Game, GameSeat
from lobby.models import Club, Event, Membership, Person

now = timezone.now()
person = Person.objects.create(name="Anna")
club = Club.objects.create(
    slug="bench", name="Bench", is_public=True,
    text="# Bench\\n\\n" + "| a | b |\\n|---|---|\\n" + "| *1* | **2** |\\n" * 150,
)
Membership.objects.create(club=club, person=person, role=Membership.OWNER)
game = Game.objects.create(
    table_id="bench-game", rules={}, is_public=True, started_at=now, ended_at=now
)
for seat in range(4):
    GameSeat.objects.create(
        game=game, seat=seat, name=f"p{seat}", bot="tsumogiri", score=25000, place=seat + 1,
        points=0,
    )
print(json.dumps({"person": str(person.pk), "slug": club.slug, "table_id": game.pk}))
"""


class Address(NamedTuple):
    """An address to load."""

    method: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class Outcome(NamedTuple):
    """The latency without and with the load of one address, and the server's answers."""

    address: Address
    quiet_ms: float
    loaded_ms: float
    cpu: float
    """Seconds of processor time of the servers for each second."""
    statuses: Counter[int]

    @property
    def rise_ms(self) -> float:
        return self.loaded_ms - self.quiet_ms


def public_addresses(known: dict[str, str]) -> Iterator[Address]:
    """Yield each address of the site, by GET and by POST, without the admin site. `known` maps
    parameter names to values of existing objects."""
    for route in list_routes(get_resolver()):
        if is_admin_route(route) or "(?P" in route:
            continue
        path = "/" + _PARAMETER.sub(
            lambda found: known.get(found[2]) or _UNKNOWN_VALUES.get(found[1] or "", "unknown"),
            route,
        )
        yield Address("GET", path)
        yield Address("POST", path)


async def load_address(url: str, address: Address, until: float, statuses: Counter[int]) -> None:
    """Load the address over one connection after another, without cookies."""
    host, port = urlsplit(url).hostname, urlsplit(url).port
    token = "x" * 32
    body = f"csrfmiddlewaretoken={token}&name=bench&text=bench&preset=tenhou"
    head = [f"{address.method} {address.path} HTTP/1.1", f"Host: {host}:{port}"]
    head += ["Accept: text/html", "Accept-Language: en", "Connection: close"]
    if address.method == "POST":
        head += [
            f"Cookie: csrftoken={token}",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
        ]
    request = "\r\n".join(head) + "\r\n\r\n" + (body if address.method == "POST" else "")
    while time.monotonic() < until:
        try:
            async with asyncio.timeout(_ANSWER_WITHIN_S):
                reader, writer = await asyncio.open_connection(host, port)
                writer.write(request.encode())
                line = await reader.readline()
                await reader.read()
                writer.close()
            statuses[int(line.split()[1])] += 1
        except (OSError, TimeoutError, IndexError):
            statuses[0] += 1


async def measure(
    site: RunningSite, pages_url: str, counts: Counts, address: Address, seconds: float
) -> Outcome:
    """Measure `seconds` without load, then `seconds` with the address loaded."""
    quiet = await _measure_discards(counts, seconds)
    servers = [psutil.Process(daphne.pid) for daphne in site.daphnes]
    before = sum(sum(server.cpu_times()[:2]) for server in servers)
    statuses = Counter[int]()
    until = time.monotonic() + seconds
    loads = [
        asyncio.create_task(load_address(pages_url, address, until, statuses))
        for _ in range(CONNECTIONS)
    ]
    loaded = await _measure_discards(counts, seconds)
    spent = sum(sum(server.cpu_times()[:2]) for server in servers) - before
    await asyncio.gather(*loads)
    high = 1000 * report.percentile(quiet, 0.99), 1000 * report.percentile(loaded, 0.99)
    return Outcome(address, *high, spent / seconds, statuses)


async def _measure_discards(counts: Counts, seconds: float) -> list[float]:
    counts.latencies_s.clear()
    counts.is_counting = True
    await asyncio.sleep(seconds)
    counts.is_counting = False
    return list(counts.latencies_s) or [0.0]


async def _measure_addresses(
    site: RunningSite, load: Load, pages_url: str, roles: Roles, only: Sequence[str], long_s: float
) -> list[Outcome]:
    """Measure all addresses, then the slowest ones for longer. Return those above the aim."""
    known = json.loads(run_script(site.site.env, _MAKE_OBJECTS).splitlines()[-1])
    counts = Counts()
    fours = sign_in_fours(site, load.tables)
    clients, _ = await fill_tables(site, load, fours, [counts] * load.tables)
    pings = asyncio.create_task(keep_pinging(clients))
    await asyncio.sleep(load.warm_up)
    chosen = [
        address
        for address in public_addresses(known)
        if not only or any(part in address.path for part in only)
    ]
    outcomes = []
    for address in chosen:
        outcomes.append(await measure(site, pages_url, counts, address, load.seconds))
        _print_outcome(outcomes[-1])
    dearest = sorted(outcomes, key=lambda outcome: -outcome.cpu)[:SLOWEST_COUNT]
    report.print_heading(f"the {len(dearest)} dearest, {long_s:.0f} s each")
    above = []
    for before in dearest:
        for _ in range(TRIES):
            outcome = await measure(site, pages_url, counts, before.address, long_s)
            _print_outcome(outcome)
            if outcome.rise_ms <= AIM_MS[roles]:
                break
        else:
            above.append(outcome)
    pings.cancel()
    abort_sockets(clients)
    return above


def _print_outcome(outcome: Outcome) -> None:
    statuses = ", ".join(
        f"{count} x {status}" for status, count in sorted(outcome.statuses.items())
    )
    report.print_line(
        str(outcome.address),
        f"p99 {outcome.quiet_ms:>6.1f} -> {outcome.loaded_ms:>6.1f} ms  "
        f"({outcome.rise_ms:+.1f})  CPU {outcome.cpu:.0%}  {statuses}",
    )


def main(arguments: Sequence[str]) -> int:
    """Measure one arrangement of servers; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.pages", description=__doc__)
    parser.add_argument("--serves", choices=tuple(AIM_MS), default="all")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each address")
    parser.add_argument("--long", type=float, default=10.0, help="seconds for each of the dearest")
    parser.add_argument("only", nargs="*", metavar="PART", help="addresses that contain a part")
    asked = parser.parse_args(arguments)
    load = Load(asked.tables, seconds=asked.seconds, warm_up=5.0)
    with start_site(load, serves="tables" if asked.serves == "separate" else "all") as site:
        url = site.daphnes[0].url if asked.serves == "all" else site.site.start_daphne("pages").url
        report.print_heading(
            f"pages, servers {asked.serves}: {CONNECTIONS} connections beside {load.tables} tables"
        )
        above = asyncio.run(
            _measure_addresses(site, load, url, asked.serves, asked.only, asked.long)
        )
    for outcome in above:
        print(f"FOUND {outcome.address}: p99 rises by {outcome.rise_ms:.0f} ms")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
