"""Accounts: sign up, sign in, change name, password or address, delete.

An unknown name, a wrong password and a closed account give the same answer after the same time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, Final
from uuid import UUID

from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.http import HttpRequest
from django.utils import timezone

from game.identity import seat_proofs
from game.identity.sessions import SESSION_KEY, person_of
from game.results.avatars import Avatar
from game.results.players import (
    chosen_avatar,
    chosen_avatars,
    forget_player,
    is_named_in_links,
    list_player,
    set_avatar,
    set_named_in_links,
)
from lobby.accounts import online, rate_limits
from lobby.accounts.names import look_key, name_key
from lobby.accounts.passwords import hash_password, is_password_of
from lobby.accounts.transactions import T, in_transaction
from lobby.models import Person, PuzzleScore

_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"


class NameTaken(Exception):
    """An account has this name, or one that looks like it."""


class SignInRefused(Exception):
    """No account has this name and password."""


class WrongPassword(Exception):
    """The password of the signed-in person was wrong."""


def sign_up(request: HttpRequest, name: str, password: str, mail: str) -> Person:
    """Make an account. If the session has a guest, the guest becomes the account. `name` is
    cleaned. Raises NameTaken, TooOften.
    """
    rate_limits.SIGN_UP_OF_ADDRESS.count(rate_limits.address_of(request))
    rate_limits.SIGN_UP_OF_NAME.count(name_key(name))
    guest = person_of(request.session)
    encoded = hash_password(password)

    def create() -> Person:
        guests = Person.objects.filter(user=None, deleted_at=None)
        person = (guests.filter(pk=guest).first() if guest else None) or Person()
        person.user = User.objects.create(username=_username(name), email=mail, password=encoded)
        _set_name(person, name)
        person.save()
        list_player(person.pk, name)
        return person

    person = _store_unique_name(create)
    _log_in(request, person)
    rate_limits.record_sign_in(rate_limits.address_of(request), name_key(name))
    return person


def sign_in(request: HttpRequest, name: str, password: str) -> Person:
    """Sign in; return the person. Raises SignInRefused, TooOften."""
    key, address = name_key(name), rate_limits.address_of(request)
    rate_limits.count_sign_in(address, key)
    person = Person.objects.select_related("user").filter(name_key=key).first()
    user = None if person is None else person.user
    is_right = is_password_of(user, password)
    if person is None or user is None or not is_right or not user.is_active:
        raise SignInRefused
    rate_limits.record_sign_in(address, key)
    _log_in(request, person)
    return person


def rename(person: Person, name: str) -> None:
    """Rename the account. `name` is cleaned. Finished games keep the old name. Raises NameTaken,
    TooOften."""
    if name == person.name:
        return
    rate_limits.RENAMES_OF_PERSON.count(str(person.pk))

    def change() -> None:
        User.objects.filter(person=person).update(username=_username(name))
        _set_name(person, name)
        person.save(update_fields=["name", "name_key", "look_key"])
        list_player(person.pk, name)

    known = person.name, person.name_key, person.look_key
    try:
        _store_unique_name(change)
    except NameTaken:
        person.name, person.name_key, person.look_key = known
        raise


def change_password(request: HttpRequest, person: Person, old: str, new: str) -> None:
    """Change the password and sign out every other browser. Raises WrongPassword, TooOften."""
    user = _user_with_password(person, old)
    user.password = hash_password(new)
    user.save(update_fields=["password"])
    update_session_auth_hash(request, user)


def change_mail(person: Person, password: str, mail: str) -> None:
    """Set the e-mail address of the account. Raises WrongPassword, TooOften."""
    user = _user_with_password(person, password)
    user.email = mail
    user.save(update_fields=["email"])


def agree_to_links(person: Person, is_agreed: bool) -> None:
    """Store whether links to replays that other players share may show the account's name."""
    set_named_in_links(person.pk, is_agreed)


def has_agreed_to_links(person: Person) -> bool:
    """Return whether links to replays that other players share may show the account's name."""
    return is_named_in_links(person.pk)


def choose_friend_settings(person: Person, *, takes_requests: bool, is_shown_online: bool) -> None:
    """Store whether others may ask to be friends, and whether friends see when the account is
    online."""
    person.takes_requests, person.is_shown_online = takes_requests, is_shown_online
    person.save(update_fields=["takes_requests", "is_shown_online"])
    if not is_shown_online:
        online.forget(person)


def choose_avatar(person: Person, tile: str, colour: str) -> None:
    """Show the account with that tile on that colour from now on."""
    set_avatar(person.pk, str(Avatar(tile, colour)))


def find_avatar(person: Person) -> str:
    """Return the avatar that the account has chosen, or ''."""
    return chosen_avatar(person.pk)


def find_avatars(people: Collection[UUID]) -> dict[UUID, str]:
    """Return the avatars that these people have chosen, by person."""
    return chosen_avatars(people)


def delete_account(
    request: HttpRequest,
    person: Person,
    password: str,
    *,
    forget_more: Callable[[Person], None] = lambda person: None,
) -> None:
    """Delete the account and its data. Its games stay, without the name. `forget_more` deletes the
    data of other packages in the same transaction. Raises WrongPassword, TooOften."""
    user = _user_with_password(person, password)

    def forget() -> None:
        forget_more(person)
        forget_player(person.pk)
        person.saved_rules.all().delete()
        person.exercise_scores.all().delete()
        person.puzzle_answers.all().delete()
        PuzzleScore.objects.filter(person=person).delete()
        person.join_requests.all().delete()
        person.entries.filter(number=None).delete()
        for membership in person.memberships.all():
            membership.end()
        Person.objects.filter(pk=person.pk).update(
            name="",
            name_key=None,
            look_key=None,
            language="",
            table_settings=None,
            user=None,
            takes_requests=True,
            is_shown_online=True,
            deleted_at=timezone.now(),
        )
        user.delete()

    with seat_proofs.revoking(str(person.pk)):
        _store_unique_name(forget)
        logout(request)


def sign_out(request: HttpRequest) -> None:
    """End the session of the account or guest. Raises ProofsUnavailable."""
    with seat_proofs.revoking(person_of(request.session)):
        logout(request)


def find_mail(person: Person) -> str:
    """Return the e-mail address of an account, or ''."""
    found = User.objects.filter(person=person).values_list("email", flat=True).first()
    return found or ""


def _set_name(person: Person, name: str) -> None:
    person.name, person.name_key, person.look_key = name, name_key(name), look_key(name)


def _username(name: str) -> str:
    """Return a username that Django's admin accepts. Equal usernames imply equal name keys."""
    return re.sub(r"[^\w.-]", "_", name)


def _log_in(request: HttpRequest, person: Person) -> None:
    """Give the session, under a new key, to that person."""
    assert person.user is not None
    with seat_proofs.revoking(person_of(request.session)):
        login(request, person.user, backend=_BACKEND)
        request.session[SESSION_KEY] = str(person.pk)


def _user_with_password(person: Person, password: str) -> User:
    rate_limits.PASSWORD_OF_PERSON.count(str(person.pk))
    user = User.objects.filter(person=person).first()
    if not is_password_of(user, password) or user is None:
        raise WrongPassword
    rate_limits.PASSWORD_OF_PERSON.forget(str(person.pk))
    return user


def _store_unique_name(change: Callable[[], T]) -> T:
    """Call `change`, which stores a name, in a transaction. Raises NameTaken."""
    try:
        return in_transaction(change)
    except IntegrityError:
        raise NameTaken from None


async def find_name(person: str) -> str:
    """Return the name of the person with that id, '' if there is none."""
    found = await Person.objects.filter(pk=person).values_list("name", flat=True).afirst()
    return found or ""


_ENDS_SESSIONS: Final = frozenset({"password", "is_active"})
"""Fields of a user whose change ends the sessions."""


def revoke_for_user(instance: User, update_fields: Collection[str] | None = None, **_: Any) -> None:
    """Handle the signals before and after a user is saved, and before one is deleted. Raises
    ProofsUnavailable."""
    if instance._state.adding or (
        update_fields is not None and _ENDS_SESSIONS.isdisjoint(update_fields)
    ):
        return
    for person in Person.objects.filter(user=instance).values_list("pk", flat=True):
        seat_proofs.revoke_with_transaction(str(person))
