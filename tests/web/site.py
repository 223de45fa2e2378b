"""A running site, and people who are signed in there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from tests.kit.processes import Daphne, RedisServer, Site, Worker
from tests.kit.site_scripts import run_script
from tests.web.short_forms import with_version

_SIGN_IN: Final = """
import json, sys
from importlib import import_module
from django.conf import settings
from django.db import transaction
from game.identity.sessions import SESSION_KEY
from lobby.models import Person

made = []
with transaction.atomic():
    for name in sys.stdin.read().splitlines():
        person = Person.objects.create(name=name)
        session = import_module(settings.SESSION_ENGINE).SessionStore()
        session[SESSION_KEY] = str(person.pk)
        session.save()
        made.append([str(person.pk), f"{settings.SESSION_COOKIE_NAME}={session.session_key}"])
print(json.dumps(made))
"""


@dataclass(frozen=True)
class SignedPerson:
    """A person with a session."""

    person: str
    cookie: str


@dataclass(frozen=True)
class RunningSite:
    """Web servers and workers that run, over one Redis."""

    site: Site
    daphnes: list[Daphne]
    workers: list[Worker]

    @property
    def redis(self) -> RedisServer:
        return self.site.redis

    def socket_url(self, table_id: str, server: int = 0) -> str:
        return with_version(f"{self.daphnes[server].websocket_url}/ws/table/{table_id}/")

    def sign_in(self, *names: str) -> list[SignedPerson]:
        """Return people with sessions, as if they had come through the first page."""
        printed = run_script(self.site.env, _SIGN_IN, "\n".join(names))
        return [SignedPerson(*pair) for pair in json.loads(printed.splitlines()[-1])]


def serve(site: Site, *, daphnes: int = 1, workers: int = 1) -> RunningSite:
    """Start that many of each process."""
    return RunningSite(
        site,
        [site.start_daphne() for _ in range(daphnes)],
        [site.start_worker() for _ in range(workers)],
    )
