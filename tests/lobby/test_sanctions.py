"""A ban takes effect where its person is: in a queue or at a table."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.test import AsyncClient
from django.utils import timezone

from game.engine.rules import TENHOU
from game.engine.state import Phase
from game.live import outbound
from game.live.process import Process
from game.models import Report, Sanction
from game.tables.errors import TablesUnavailable
from game.tables.requests import Leave, Return
from game.tables.room import Room, SeatMeta
from game.tables.settings import TableSettings
from lobby.play import pregame_services, pregame_store, queues
from lobby.play.backend import Backend, current_backend
from lobby.play.movements import apply_bans, move_to_queue
from lobby.play.queues import QUEUES
from tests.kit.processes import free_port
from tests.lobby.backends import person_id
from tests.lobby.club_people import account, new_club
from tests.lobby.pages import create_table, press, room_at, text_of
from tests.tables.staging import FakeSocket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

QUEUE = QUEUES["tenhou.east"]


async def store_ban(number: int, kind: str = Sanction.BAN, hours: float = 1) -> Sanction:
    until = timezone.now() + timedelta(hours=hours)
    return await Sanction.objects.acreate(person_id=UUID(person_id(number)), kind=kind, until=until)


async def playing(backend: Backend, *numbers: int) -> Room:
    """Return the room of a running table of these people and bots."""
    people = [SeatMeta(name=f"p{number}", person=person_id(number)) for number in numbers]
    bots = [SeatMeta(name=f"b{at}", bot="sensible") for at in range(4 - len(people))]
    name = f"table-{'-'.join(map(str, numbers))}"
    await backend.tables.open_game(name, [*people, *bots], TableSettings(rules=TENHOU))
    room = await backend.tables.room(name)
    assert room is not None
    return room


async def test_ban_closes_sockets_and_gives_the_seat_to_a_bot() -> None:
    backend = await current_backend()
    room = await playing(backend, 0, 1)
    other = await playing(backend, 2)
    hub = await backend.process.hub(outbound.encode)
    theirs, neighbours = FakeSocket(0, person_id(0)), FakeSocket(1, person_id(1))
    for socket in (theirs, neighbours):
        await hub.join(room.table_id, socket)
    ban = await store_ban(0)
    await apply_bans(backend)
    after = await backend.tables.room(room.table_id)
    assert after is not None
    assert after.is_bot(0)
    assert after.seat_of(person_id(0)) is None
    assert theirs.is_unseated
    assert not neighbours.is_unseated
    assert after.seat_of(person_id(1)) == 1
    await backend.process.service.apply_request(room.table_id, Return(0))
    assert (await backend.tables.room(room.table_id)).is_bot(0)  # type: ignore[union-attr]
    assert (await backend.tables.room(other.table_id)).version == other.version  # type: ignore[union-attr]
    await ban.arefresh_from_db()
    assert ban.carried_out_at is not None


async def test_ban_of_the_only_player_ends_the_game() -> None:
    backend = await current_backend()
    room = await playing(backend, 0)
    await store_ban(0)
    await apply_bans(backend)
    after = await backend.tables.room(room.table_id)
    assert after is not None
    assert after.table.phase == Phase.ENDED


async def test_ban_removes_from_queues_and_pregame_tables() -> None:
    backend = await current_backend()
    await move_to_queue(backend, QUEUE, person=person_id(0), name="n0", bots_after_s=None)
    pregame = await pregame_services.create_table(
        backend,
        person=person_id(1),
        name="n1",
        settings=TableSettings(rules=TENHOU),
        bots=("", "", ""),
    )
    await pregame_services.sit_down(backend, pregame.id, person_id(2), "n2")
    for number in (0, 1):
        await store_ban(number)
    await apply_bans(backend)
    assert not (await queues.read_queue(backend, QUEUE)).tickets
    found = await pregame_store.find(backend, pregame.id)
    assert found is not None
    assert (found.host, found.people) == (person_id(2), (person_id(2),))


@pytest.mark.postgresql
async def test_mutes_and_expired_bans_take_no_seat() -> None:
    backend = await current_backend()
    room = await playing(backend, 0, 1)
    await store_ban(0, Sanction.MUTE)
    await store_ban(1, hours=-1)
    await apply_bans(backend)
    assert (await backend.tables.room(room.table_id)).version == room.version  # type: ignore[union-attr]


async def test_ban_waits_for_redis_and_is_carried_out_once() -> None:
    backend = await current_backend()
    room = await playing(backend, 0, 1)
    ban = await store_ban(0)
    without_redis = Backend(Process(f"redis://127.0.0.1:{free_port()}"))
    with pytest.raises(TablesUnavailable):
        await apply_bans(without_redis)
    await without_redis.process.stop()
    await ban.arefresh_from_db()
    assert ban.carried_out_at is None
    await apply_bans(backend)
    after = await backend.tables.room(room.table_id)
    await apply_bans(backend)
    assert await backend.tables.room(room.table_id) == after


async def test_banned_person_is_offered_no_seat() -> None:
    host, guest = AsyncClient(), AsyncClient()
    running = await create_table(host, seat_2="sensible", seat_3="sensible", may_join="on")
    await press(guest, running, "sit")
    await press(host, running, "ready")
    room = await room_at(await press(guest, running, "ready"))
    leaver = next(seat for seat, meta in enumerate(room.meta.seats) if meta.person)
    service = (await current_backend()).process.service
    await service.apply_request(room.table_id, Leave(leaver))
    client, person = await account("Bernard")
    club = await new_club(person)
    waiting = await create_table(AsyncClient(), seat_1="sensible")
    pages = ("/lobby/", waiting, running, f"/clubs/{club.slug}/", "/tables/new/")
    offers = ("Sit down", "Take the seat", "Take over from", "/tables/new/")
    texts = [text_of(await client.get(page)) for page in pages[:-1]]
    assert all(any(offer in text for text in texts) for offer in offers)
    until = timezone.now() + timedelta(hours=1)
    await Sanction.objects.acreate(person_id=person.pk, kind=Sanction.BAN, until=until)
    texts = [text_of(await client.get(page)) for page in pages]
    found = [
        (page, offer)
        for page, text in zip(pages, texts, strict=True)
        for offer in offers[:3]
        if offer in text
    ]
    assert found == []
    assert "/tables/new/" not in texts[3]
    assert 'disabled type="submit">Create the table' in texts[4]


async def moderator() -> AsyncClient:
    client = AsyncClient()
    await client.aforce_login(await User.objects.acreate_superuser("m", password="x"))
    return client


async def store_report(number: int) -> Report:
    return await Report.objects.acreate(
        table_id="t",
        line=f"t{number}-0",
        person_id=UUID(person_id(number)),
        name="<b>x</b>",
        text="rude",
        around=[{"at": 1, "name": "<b>x</b>", "person": person_id(number), "text": "rude"}],
        reporter_id=UUID(person_id(9)),
    )


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("action", "kind", "days"), [("mute_for_a_day", "mute", 1), ("ban_for_a_week", "ban", 7)]
)
async def test_moderator_mutes_or_bans_from_the_list_of_reports(
    action: str, kind: str, days: int
) -> None:
    one, other = await store_report(0), await store_report(1)
    client = await moderator()
    form = {"action": action, "_selected_action": [one.pk]}
    assert (await client.post("/admin/game/report/", form)).status_code == 302
    sanction = await Sanction.objects.aget()
    assert (str(sanction.person_id), sanction.kind, sanction.why) == (person_id(0), kind, "rude")
    span = sanction.until - timezone.now()
    assert timedelta(days=days) - timedelta(minutes=1) < span <= timedelta(days=days)
    await one.arefresh_from_db()
    await other.arefresh_from_db()
    assert (one.is_settled, other.is_settled) == (True, False)


async def test_moderator_without_the_permission_cannot_sanction() -> None:
    one = await store_report(0)
    user = await User.objects.acreate_user("r", is_staff=True)
    for name in ("view_report", "change_report"):
        await user.user_permissions.aadd(await Permission.objects.aget(codename=name))
    client = AsyncClient()
    await client.aforce_login(user)
    page = (await client.get("/admin/game/report/")).content.decode()
    assert "rude" in page
    assert "ban_for_a_week" not in page
    form = {"action": "ban_for_a_week", "_selected_action": [one.pk]}
    await client.post("/admin/game/report/", form)
    assert not await Sanction.objects.aexists()


async def test_reported_text_is_escaped_in_the_admin() -> None:
    one = await store_report(0)
    page = (await (await moderator()).get(f"/admin/game/report/{one.pk}/change/")).content.decode()
    assert "&lt;b&gt;x&lt;/b&gt;: rude" in page
    assert "<b>x</b>" not in page


async def test_ban_reads_the_tables_of_its_person_only() -> None:
    backend = await current_backend()
    for number in range(1, 21):
        await playing(backend, number)
    room = await playing(backend, 0, 30)
    await store_ban(0)
    fresh = Backend(Process(settings.REDIS_URL))
    before = await backend.process.redis.info("commandstats")
    await apply_bans(fresh)
    after = await backend.process.redis.info("commandstats")
    await fresh.process.stop()
    reads = [found.get("cmdstat_xrange", {"calls": 0})["calls"] for found in (before, after)]
    assert reads[1] - reads[0] <= 3
    assert (await backend.process.service.read_room(room.table_id)).seat_of(person_id(0)) is None
