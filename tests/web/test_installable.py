"""The manifest, the service worker, and the page that is shown without a network."""

from __future__ import annotations

import json
import struct

import pytest
from django.contrib.staticfiles import finders
from django.test import Client, override_settings

from game.identity.sessions import SESSION_KEY
from lobby.models import Person

pytestmark = pytest.mark.django_db


def get(path: str, language: str = "en") -> str:
    response = Client().get(path, headers={"Accept-Language": language})
    assert response.status_code == 200, path
    return response.content.decode()


def test_manifest_names_the_site_and_its_icons() -> None:
    response = Client().get("/manifest.webmanifest")
    assert response.headers["Content-Type"].startswith("application/manifest+json")
    found = json.loads(response.content)
    assert (found["start_url"], found["scope"], found["display"]) == ("/", "/", "standalone")
    assert {icon["purpose"] for icon in found["icons"]} == {"any", "maskable"}
    for icon in found["icons"]:
        path = finders.find(icon["src"].removeprefix("/static/"))
        assert isinstance(path, str), icon["src"]
        with open(path, "rb") as file:
            head = file.read(24)
        assert head.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", head[16:24])
        assert icon["sizes"] == f"{width}x{height}"


def test_manifest_is_in_the_language_of_the_reader() -> None:
    english, french, japanese = (
        json.loads(get("/manifest.webmanifest", language)) for language in ("en", "fr", "ja")
    )
    assert (english["lang"], french["lang"], japanese["lang"]) == ("en", "fr", "ja")
    descriptions = {manifest["description"] for manifest in (english, french, japanese)}
    assert len(descriptions) == 3


def test_pages_register_the_worker_unless_it_is_switched_off() -> None:
    with override_settings(SERVICE_WORKER=True):
        page, worker = get("/learn/"), get("/sw.js")
    assert 'rel="manifest" href="/manifest.webmanifest"' in page
    assert 'data-worker="/sw.js"' in page
    assert "unregister" not in worker
    with override_settings(SERVICE_WORKER=False):
        page, removal = get("/learn/"), get("/sw.js")
    assert "data-worker" not in page
    assert "unregister" in removal


def test_browsers_ask_for_the_worker_each_time() -> None:
    response = Client().get("/sw.js")
    assert response.headers["Content-Type"].startswith("text/javascript")
    assert "no-cache" in response.headers["Cache-Control"]


def test_offline_page_contains_nothing_of_its_reader() -> None:
    stranger = get("/offline/")
    client = Client()
    session = client.session
    session[SESSION_KEY] = str(Person.objects.create(name="Anna").pk)
    session.save()
    response = client.get("/offline/", headers={"Accept-Language": "en"})
    assert response.content.decode() == stranger
    assert "Set-Cookie" not in response.headers
    assert "No network" in stranger
    assert "Pas de r" in get("/offline/", "fr")
