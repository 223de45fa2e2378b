"""Only expired sessions and guests who do not return are removed."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from game.identity.sessions import SESSION_KEY
from game.models import Player, Sanction
from lobby.accounts import expiry
from lobby.models import Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def person(*, unseen_days: int, **fields: object) -> Person:
    seen_on = timezone.localdate() - timedelta(days=unseen_days)
    return Person.objects.create(name="Guest 1234", seen_on=seen_on, **fields)


def session(*, days_left: int) -> str:
    store = SessionStore()
    store[SESSION_KEY] = str(uuid.uuid4())
    store.set_expiry(timezone.now() + timedelta(days=days_left))
    store.create()
    assert store.session_key
    return store.session_key


async def test_the_worker_removes_guests_and_sessions_in_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(expiry, "_BATCH_SIZE", 2)
    for _ in range(3):
        await Person.objects.acreate(
            seen_on=timezone.localdate() - timedelta(days=expiry.GUEST_DAYS + 1)
        )
    assert await expiry.remove_expired() is None, "a full batch is followed by another one at once"
    assert await Person.objects.acount() == 1, "one batch is removed at a time"
    assert await expiry.remove_expired() == 3_600, "the next run comes an hour later"
    assert await Person.objects.acount() == 0


def test_a_guest_is_removed_some_days_after_the_last_visit() -> None:
    gone = person(unseen_days=expiry.GUEST_DAYS + 1)
    kept = person(unseen_days=expiry.GUEST_DAYS)
    Player.objects.create(person_id=gone.pk, name=gone.name)
    assert expiry.remove_guests(100) == 1
    assert list(Person.objects.all()) == [kept]
    assert not Player.objects.exists()


def test_accounts_and_sanctioned_guests_are_kept() -> None:
    long_ago = expiry.GUEST_DAYS * 10
    user = User.objects.create(username="anna")
    person(unseen_days=long_ago, user=user, name_key="anna", look_key="anna")
    person(unseen_days=long_ago, deleted_at=timezone.now())
    banned = person(unseen_days=long_ago)
    ban = Sanction.objects.create(
        person_id=banned.pk, kind=Sanction.BAN, until=timezone.now() + timedelta(days=1)
    )
    assert expiry.remove_guests(100) == 0
    ban.until = timezone.now()
    ban.save()
    assert expiry.remove_guests(100) == 1
    assert Person.objects.count() == 2


def test_only_expired_sessions_are_removed() -> None:
    session(days_left=-1)
    kept = session(days_left=1)
    assert expiry.remove_sessions(100) == 1
    assert Session.objects.get().pk == kept


def test_visit_stores_the_day() -> None:
    guest = person(unseen_days=expiry.GUEST_DAYS + 1)
    browser = Client()
    store = browser.session
    store[SESSION_KEY] = str(guest.pk)
    store.save()
    assert "Guest 1234" in browser.get("/games/").content.decode()
    guest.refresh_from_db()
    assert guest.seen_on == timezone.localdate()
    assert expiry.remove_guests(100) == 0
