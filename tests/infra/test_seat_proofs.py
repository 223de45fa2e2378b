"""Seat proofs: players return to their seats while the database is away, on real web servers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import Request, urlopen

import psycopg
import pytest
import redis
from django.core import signing
from websockets.exceptions import ConnectionClosed

from game.identity.seat_proofs import COOKIE, LIFETIME_S, SALT, SeatProof, sign
from tests.kit.commands import manage
from tests.kit.processes import Daphne, RedisServer, Site
from tests.web.leak_scan import scan
from tests.web.players import Client
from tests.web.short_forms import with_version
from tests.web.site import serve
from tests.web.tables import log_of
from tests.web.visitor import Visitor
from tools import postgresql

NEW_PASSWORD = "another good password"
PASSWORD = "a good long password"
UNAVAILABLE = "4503"
PLAYS_ON_WITHIN_S = 40
"""Time for forty events with bots on a busy machine. The clocks of the table do not limit it."""


@contextmanager
def database_away(site: Site) -> Iterator[None]:
    """Move the SQLite file with its journals away: no process can open it."""
    file = Path(site.env["DATABASE_URL"].removeprefix("sqlite:///"))
    moved = list[tuple[Path, Path]]()
    for path in [path for path in file.parent.glob(f"{file.name}*") if path.is_file()]:
        away = path.with_name(f"away-{path.name}")
        with suppress(FileNotFoundError):  # the last connection has just removed its journals
            path.rename(away)
            moved.append((path, away))
    try:
        yield
    finally:
        for path, away in moved:
            away.rename(path)


@contextmanager
def database_hangs(url: str) -> Iterator[None]:
    """Lock every table of that PostgreSQL, so that no query of a web server is answered."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        names = ", ".join(f'"{name}"' for (name,) in rows.fetchall())
        connection.execute(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE".encode())
        yield
        connection.rollback()


class SeatedPlayer:
    """A person in a browser who plays against three bots."""

    def __init__(self, web: Daphne, *, account: str = "") -> None:
        self.browser = Visitor(web.url)
        if account:
            page = self.browser.get("/sign-up/")
            fields = {"name": account, "password": PASSWORD, "mail": ""}
            assert self.browser.submit(page, "/sign-up/", **fields).path == "/"
        table = self.browser.submit(self.browser.get("/"), "/play/")
        assert table.path.startswith("/table/"), table
        self.path = table.path
        self.cookie = self.browser.cookie
        """The cookies at the time of the first visit: a thief may have kept them."""

    @property
    def table_id(self) -> str:
        return self.path.strip("/").partition("/")[2]

    @property
    def session(self) -> str:
        """Return the cookie of the session alone."""
        return next(pair for pair in self.cookie.split("; ") if pair.startswith("sessionid="))

    @property
    def proof(self) -> str:
        """Return the value of the cookie of the proof."""
        pairs = (pair.partition("=") for pair in self.cookie.split("; "))
        return next(value for name, _, value in pairs if name == COOKIE)

    @property
    def proven(self) -> SeatProof:
        """Return the content of the proof."""
        return SeatProof(*signing.loads(self.proof, salt=SALT))

    def with_proof(self, proof: str) -> str:
        """Return the cookies with another proof."""
        return f"{self.session}; {COOKIE}={proof}"

    def client(self, web: Daphne, cookie: str | None = None, *, table_id: str = "") -> Client:
        url = f"{web.websocket_url}/ws/table/{table_id or self.table_id}/"
        return Client(with_version(url), self.cookie if cookie is None else cookie)

    def submit(self, path: str, **fields: str) -> None:
        """Send that form of the profile."""
        page = self.browser.get("/profile/")
        assert self.browser.submit(page, path, **fields).status == 200


async def outcome(client: Client) -> str:
    """Open the socket; return `seat N`, `watches`, or the code with which the server closes the
    socket."""
    try:
        await client.open()
        await client.until("sync")
    except ConnectionClosed:
        return str(client.close_code)
    finally:
        await client.close()
    return "watches" if client.you is None else f"seat {client.you}"


def outcomes(*clients: Client) -> list[str]:
    async def all_of_them() -> list[str]:
        return await asyncio.gather(*map(outcome, clients))

    return asyncio.run(all_of_them())


async def give_up_the_seat(client: Client) -> None:
    await client.open()
    await client.until("sync")
    await client.send({"t": "leave"})
    await client.send({"t": "ping", "seq": client.seq, "at": 0, "seen": False})
    await client.until("pong")  # the answer shows that earlier messages were processed
    await client.close()


def status_of(url: str) -> int:
    with urlopen(url, timeout=40) as page:
        return int(page.status)


def set_cookies(url: str, cookie: str, headers: dict[str, str]) -> list[str]:
    """Return the cookies of proofs that the answer sets."""
    with urlopen(Request(url, headers={"Cookie": cookie, **headers}), timeout=20) as page:
        found = page.headers.get_all("Set-Cookie") or []
    return [header for header in found if header.startswith(f"{COOKIE}=")]


def check_renewal(site: Site, player: SeatedPlayer, stranger: SeatedPlayer) -> None:
    """Check that only the player can renew the proof, and that its cookie has the lifetime and the
    flags of the session's. The server is behind HTTPS."""
    site.env["HTTPS"] = "1"
    web = site.start_daphne()
    url, headers = f"{web.url}{player.path}seat-proof/", {"X-Forwarded-Proto": "https"}
    (renewed,) = set_cookies(url, player.session, headers)
    attributes = {part.strip().lower() for part in renewed.split(";")[1:]}
    assert {"httponly", "secure", "samesite=lax", f"path=/ws{player.path.lower()}"} <= attributes
    assert f"max-age={LIFETIME_S}" in attributes
    assert set_cookies(url, "", headers) == []
    assert set_cookies(url, stranger.session, headers) == []


class OldSigner(signing.TimestampSigner):
    """A signer that dates its proofs some seconds ago."""

    age_s = 0

    def timestamp(self) -> str:
        return signing.b62_encode(int(time.time()) - self.age_s)


def sign_earlier(proof: SeatProof, age_s: int) -> str:
    signer = OldSigner(salt=SALT)
    signer.age_s = age_s
    return signer.sign_object(list(proof))


def test_players_reconnect_while_postgresql_is_stopped(
    redis_server: RedisServer,
    migrated_database: Path,
    migrated_postgresql: Path,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    site = Site(redis_server, tmp_path, migrated_database)
    site.env["TABLE_PACE"] = "0"
    try:
        with postgresql.run_server(migrated_postgresql) as url:
            site.env["DATABASE_URL"] = url
            running_site = serve(site, daphnes=3)
            first, second, third = running_site.daphnes
            player, stranger = SeatedPlayer(first, account="Anna Bell"), SeatedPlayer(first)
            client = player.client(first)

            async def begin() -> None:
                await client.play(until_seq=8)
                await client.cut()

            async def come_back(web: Daphne, database: str) -> None:
                client.url = player.client(web).url
                client.origin = web.origin
                acknowledged, began = len(client.acknowledged), time.monotonic()
                await client.open()
                await client.until("sync")
                seconds = time.monotonic() - began
                record_property("figures", f"back while the database {database}: {seconds:.2f} s")
                assert client.you == player.proven.seat
                await client.send({"t": "say", "text": "hello"})
                async with asyncio.timeout(PLAYS_ON_WITHIN_S):
                    await client.play(until_seq=client.seq + 40)
                await client.cut()
                assert len(client.acknowledged) > acknowledged, "nothing was played"

            asyncio.run(begin())
            with database_hangs(url):
                asyncio.run(come_back(third, "hangs"))
        first.kill()  # PostgreSQL has stopped before
        asyncio.run(come_back(second, "is stopped"))
        log = asyncio.run(log_of(site.redis.url, player.table_id))  # type: ignore[arg-type]
        assert client.you is not None
        assert scan(client.frames, log, client.you) > 0
        assert outcomes(
            player.client(second, player.session),
            stranger.client(second, table_id=player.table_id),
        ) == [UNAVAILABLE, UNAVAILABLE]
    finally:
        site.stop()


REVOKE = """
import sys
from datetime import timedelta
from django.contrib.auth.models import User
from django.utils import timezone
from game.models import Sanction

until = timezone.now() + timedelta(days=1)
for kind, person in ((Sanction.BAN, "{banned}"), (Sanction.MUTE, "{muted}")):
    Sanction.objects.create(person_id=person, kind=kind, until=until)
for name, change in (("Elsa_Reed", "password"), ("Finn_Moss", "is_active")):
    user = User.objects.get(username=name)
    setattr(user, change, "!" if change == "password" else False)
    user.save()
User.objects.get(username="Gina_Lake").delete()
"""


def test_revoked_stolen_expired_and_malformed_proofs_are_refused(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    web = site.start_daphne()
    keeper, other, muted, banned, left, forgotten = (SeatedPlayer(web) for _ in range(6))
    accounts = [
        SeatedPlayer(web, account=name)
        for name in ("Chika Dean", "Anna Bell", "Bruno Hill", "Elsa Reed", "Finn Moss", "Gina Lake")
    ]
    gone, changed, deleted, *by_operator = accounts
    gone.submit("/sign-out/")
    changed.submit("/profile/password/#password", old=PASSWORD, password=NEW_PASSWORD)
    page = deleted.browser.get("/profile/delete/")
    assert deleted.browser.submit(page, "/profile/delete/", old=PASSWORD).path == "/"
    script = REVOKE.format(banned=banned.proven.person, muted=muted.proven.person)
    manage(site.env, "shell", "--no-imports", "-c", script)
    asyncio.run(give_up_the_seat(left.client(web)))
    with redis.Redis.from_url(site.redis.url) as store:
        assert store.delete(f"cache:1:seat-proofs:{forgotten.proven.person}") == 1
    check_renewal(site, keeper, other)
    capfd.readouterr()

    proof = keeper.proven
    stolen = {
        "from another seat": sign(proof._replace(seat=(proof.seat + 1) % 4)),
        "from another table": sign(proof._replace(table_id=other.table_id)),
        "of another person": sign(proof._replace(person=other.proven.person)),
        "of another session": sign(proof._replace(session=other.proven.session)),
        "of an earlier generation": sign(proof._replace(generation=proof.generation + 1)),
        "too old": sign_earlier(proof, LIFETIME_S + 1),
        "under another key": signing.dumps(list(proof), salt=SALT, key="of somebody else"),
        "under another salt": signing.dumps(list(proof), salt="of something else"),
        "changed": keeper.proof[:-1] + ("A" if keeper.proof[-1] != "A" else "B"),
    }
    shapes: list[object] = [[], {}, 5, None, "text", list(proof)[:4], [*proof, 1], [[]] * 5]
    hostile = [
        *(signing.dumps(shape, salt=SALT) for shape in shapes),
        *("", ":", ":::", "=;=", "a:b:c", ".x:1:2", "\u00ff\u00fe", '"\\377\\000"', "x" * 4_000),
    ]
    with database_away(site):
        seat = f"seat {proof.seat}"
        held = [keeper.cookie, keeper.with_proof(sign_earlier(proof, LIFETIME_S - 60))]
        assert outcomes(*(keeper.client(web, cookie) for cookie in held)) == [seat, seat]
        assert outcomes(muted.client(web)) == [f"seat {muted.proven.seat}"]
        for who in (gone, banned, left, forgotten, changed, deleted, *by_operator):
            assert outcomes(who.client(web)) == [UNAVAILABLE], who.proven
        tried = outcomes(
            *(keeper.client(web, keeper.with_proof(proof)) for proof in stolen.values())
        )
        assert dict(zip(stolen, tried, strict=True)) == dict.fromkeys(stolen, UNAVAILABLE)
        assert (
            outcomes(
                keeper.client(web, table_id=other.table_id),
                other.client(web, f"{other.session}; {COOKIE}={keeper.proof}"),
                keeper.client(web, f"{COOKIE}={keeper.proof}; {other.session}"),
            )
            == [UNAVAILABLE] * 3
        )
        # Without a session the server looks up nobody, as always: the visitor is a spectator.
        assert outcomes(keeper.client(web, f"{COOKIE}={keeper.proof}")) == ["watches"]
        tried = outcomes(*(keeper.client(web, keeper.with_proof(proof)) for proof in hostile))
        assert tried == [UNAVAILABLE] * len(hostile)
        assert status_of(f"{web.url}/healthz") == 200
    # While the database answers, only the session decides.
    assert outcomes(
        keeper.client(web, keeper.with_proof(stolen["too old"])),
        keeper.client(web, keeper.with_proof(hostile[0])),
        gone.client(web),
        changed.client(web),
        deleted.client(web),
    ) == [seat, seat, "watches", "watches", "watches"]
    assert "Traceback" not in capfd.readouterr().err
