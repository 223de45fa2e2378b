"""Bot accounts: register, give and revoke tokens, retire.

A bot is a person whose name begins with `MARK`. No other name may contain that word
(`lobby.accounts.names`), so that bots are recognisable at every table and in every record and list.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from game.moderation.sanctions import banned_people
from game.results.players import forget_player
from lobby.accounts import rate_limits
from lobby.accounts.models import digest_of
from lobby.accounts.names import look_key, name_key
from lobby.accounts.services import NameTaken
from lobby.accounts.transactions import in_transaction
from lobby.models import BotAccount, BotToken, Person

MARK: Final = "BOT"
"""The first word of the name of every bot."""
SCOPES: Final = ("play", "tables")
"""What a token may allow: to play, and to open tables for bots."""
MAX_TOKENS: Final = 8
"""The most tokens of one bot that are not revoked."""
_PREFIX: Final = "mjbot_"
"""The beginning of a token. It makes a leaked token recognisable, for example in a public
repository."""
_TOKEN_BYTES: Final = 32


class TooManyBots(Exception):
    """The owner has the maximum number of bots, or the bot the maximum number of tokens."""


@dataclass(frozen=True, slots=True)
class Permit:
    """The rights that a valid token gives."""

    token: int
    """The id of the token."""
    bot: str
    """The id of the bot's person."""
    name: str
    owner: str
    """The id of the owner's person."""
    scopes: frozenset[str]


def register_bot(owner: Person, name: str, *, is_open: bool) -> BotAccount:
    """Register a bot. `name` is cleaned and without the mark; with `is_open` anybody may add the
    bot to a table. Raises NameTaken, TooManyBots, TooOften."""
    rate_limits.BOTS_OF_PERSON.count(str(owner.pk))

    def create() -> BotAccount:
        # Locked, because two requests could count the same bots otherwise.
        Person.objects.select_for_update().get(pk=owner.pk)
        if BotAccount.objects.filter(owner=owner).count() >= settings.BOTS_PER_ACCOUNT:
            raise TooManyBots
        full, person = f"{MARK} {name}", Person()
        person.name, person.name_key, person.look_key = full, name_key(full), look_key(full)
        if Person.objects.filter(name_key=person.name_key).exists():
            raise NameTaken
        if Person.objects.filter(look_key=person.look_key).exists():
            raise NameTaken
        person.save()
        return BotAccount.objects.create(person=person, owner=owner, is_open=is_open)

    return in_transaction(create)


def bots_of(owner: Person) -> list[BotAccount]:
    """Return the bots of that person with their people and tokens, the oldest first."""
    found = BotAccount.objects.filter(owner=owner).select_related("person")
    return list(found.prefetch_related("tokens").order_by("created_at"))


def find_bot(owner: Person, bot: str) -> BotAccount | None:
    """Return the bot of that id if the person owns it."""
    try:
        key = UUID(bot)
    except ValueError:
        return None
    return BotAccount.objects.filter(owner=owner, pk=key).select_related("person").first()


def set_open(bot: BotAccount, is_open: bool) -> None:
    """Set whether anybody, or only the owner, may add the bot to a table."""
    bot.is_open = is_open
    bot.save(update_fields=["is_open"])


def create_token(bot: BotAccount, label: str, scopes: Collection[str]) -> str:
    """Make a token and return it. Only its hash is stored. Raises TooManyBots."""
    token = _PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)

    def create() -> None:
        BotAccount.objects.select_for_update().get(pk=bot.pk)
        if BotToken.objects.filter(bot=bot, revoked_at=None).count() >= MAX_TOKENS:
            raise TooManyBots
        chosen = [scope for scope in SCOPES if scope in scopes]
        BotToken.objects.create(bot=bot, label=label, digest=digest_of(token), scopes=chosen)

    in_transaction(create)
    return token


def revoke_token(bot: BotAccount, token: int) -> None:
    """Revoke that token of the bot. Its open sockets close within some seconds."""
    BotToken.objects.filter(bot=bot, pk=token, revoked_at=None).update(revoked_at=timezone.now())


def retire_bot(bot: BotAccount) -> None:
    """Retire the bot: delete its tokens and its name. Its games stay, like those of a deleted
    player."""
    in_transaction(lambda: forget_bots([bot.pk]))


def forget_bots_of(owner: Person) -> None:
    """Retire all bots of a person who deletes the account. Call it in a transaction."""
    forget_bots(list(BotAccount.objects.filter(owner=owner).values_list("pk", flat=True)))


def forget_bots(bots: Collection[UUID]) -> None:
    """Remove names, tokens and owners of these bots. Call it in a transaction."""
    for bot in bots:
        forget_player(bot)
    BotAccount.objects.filter(pk__in=bots).delete()
    Person.objects.filter(pk__in=bots).update(
        name="", name_key=None, look_key=None, deleted_at=timezone.now()
    )


def find_permit(token: str) -> Permit | None:
    """Return what the token allows; None if it is unknown or revoked, the owner's account is
    closed, or the bot or its owner is banned."""
    valid = BotToken.objects.filter(digest=digest_of(token), revoked_at=None)
    valid = valid.filter(bot__owner__user__is_active=True)
    valid = valid.exclude(bot__in=banned_people()).exclude(bot__owner__in=banned_people())
    row = valid.select_related("bot__person").first()
    if row is None:
        return None
    today = timezone.localdate()
    if row.used_on != today:
        BotToken.objects.filter(pk=row.pk).update(used_on=today)
    bot = row.bot
    return Permit(row.pk, str(bot.pk), bot.person.name, str(bot.owner_id), frozenset(row.scopes))


def addable_bots(names: Collection[str], person: str) -> list[BotAccount]:
    """Return the bots of these names that this person may add to a table, in the order of the
    names. Names may be with or without the mark; unknown ones are left out."""
    keys = [_key_of(name) for name in names]
    found = BotAccount.objects.filter(person__name_key__in=keys).select_related("person")
    known = {bot.person.name_key: bot for bot in found}
    bots = [known[key] for key in keys if key in known]
    return [bot for bot in bots if bot.is_open or str(bot.owner_id) == person]


def bearer_of(header: str) -> str:
    """Return the token in an `Authorization` header; '' if there is none."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _key_of(name: str) -> str:
    first, _, rest = name.strip().partition(" ")
    return name_key(f"{MARK} {rest if first.upper() == MARK else name}")
