"""Imported games in the database are deleted after thirty days, or with their account."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.contrib.admin.utils import quote
from django.test import Client
from django.utils import timezone

from game.imports import records
from game.imports.imported_game import AcceptedRecord
from game.imports.records import KEPT_DAYS, add_record, find_record, may_delete, records_of
from game.models import ImportedRecord, Review
from game.results.players import forget_player

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
GAME = AcceptedRecord(b"game", ("A", "B", "C", ""), "mjlog", True)


async def make_older(key: str, days: float) -> None:
    then = timezone.now() - timedelta(days=days)
    await ImportedRecord.objects.filter(pk=key).aupdate(created_at=then)


async def test_game_is_found_for_thirty_days_and_then_removed() -> None:
    owner = uuid4()
    old, _ = await database_sync_to_async(add_record)(GAME, owner)
    young, _ = await database_sync_to_async(add_record)(GAME, owner)
    await make_older(old, KEPT_DAYS + 0.01)
    await make_older(young, KEPT_DAYS - 0.01)
    assert await database_sync_to_async(find_record)(old) is None
    assert await database_sync_to_async(find_record)(young) is not None
    assert [row.pk for row in await database_sync_to_async(records_of)(owner)] == [young]
    assert await records.remove_old_records() == 3_600
    assert [row.pk async for row in ImportedRecord.objects.all()] == [young]


async def test_old_games_are_removed_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "_REMOVED_AT_ONCE", 2)
    for _ in range(3):
        key, _ = await database_sync_to_async(add_record)(GAME, None)
        await make_older(key, KEPT_DAYS + 1)
        await Review.objects.acreate(record_id=key, version=1, requested_at=timezone.now())
    assert await records.remove_old_records() is None
    assert await records.remove_old_records() == 3_600
    assert await ImportedRecord.objects.acount() == 0


async def test_account_or_key_may_delete() -> None:
    owner = uuid4()
    key, deletion_key = await database_sync_to_async(add_record)(GAME, owner)
    record = await database_sync_to_async(find_record)(key)
    assert record is not None
    assert may_delete(record, owner=owner, deletion_key="")
    assert may_delete(record, owner=None, deletion_key=deletion_key)
    for person in (None, uuid4()):
        for text in ("", key, deletion_key[:-1], "\udc80é"):
            assert not may_delete(record, owner=person, deletion_key=text)
    assert deletion_key.encode() not in bytes(record.deletion_hash)


async def test_game_without_an_owner_belongs_to_no_account() -> None:
    key, _ = await database_sync_to_async(add_record)(GAME, None)
    record = await database_sync_to_async(find_record)(key)
    assert record is not None
    assert not may_delete(record, owner=None, deletion_key="")


async def test_games_are_deleted_with_their_account() -> None:
    owner, other = uuid4(), uuid4()
    await database_sync_to_async(add_record)(GAME, owner)
    kept, _ = await database_sync_to_async(add_record)(GAME, other)
    await sync_to_async(forget_player)(owner)
    assert [row.pk async for row in ImportedRecord.objects.all()] == [kept]


def test_moderator_looks_at_a_game_and_deletes_it(admin_client: Client) -> None:
    key, _ = add_record(GAME, uuid4())
    listed = admin_client.get("/admin/game/importedrecord/", {"q": key})
    assert key in listed.content.decode()
    page = admin_client.get(f"/admin/game/importedrecord/{quote(key)}/change/")
    assert page.status_code == 200
    assert 'name="_save"' not in page.content.decode()
    admin_client.post(f"/admin/game/importedrecord/{quote(key)}/delete/", {"post": "yes"})
    assert not ImportedRecord.objects.exists()
