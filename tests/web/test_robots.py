"""The rules for search engines."""

from __future__ import annotations

from urllib.robotparser import RobotFileParser

from django.test import Client


def test_search_engines_list_no_page_that_names_people() -> None:
    page = Client().get("/robots.txt")
    assert page.headers["Content-Type"].startswith("text/plain")
    lines = page.content.decode().splitlines()
    assert lines[:2] == ["User-agent: *", "Allow: /$"]
    rules = RobotFileParser()
    rules.parse(lines)
    for path in ("/player/1/", "/game/abc/", "/ranking/tenhou/", "/table/abc/", "/admin/"):
        assert not rules.can_fetch("anybot", path), path
    assert rules.can_fetch("anybot", "/gallery/")
    for path in ("/game/abc/replay/?hand=2", "/shared/abc/preview.png", "/replay/abc/"):
        assert rules.can_fetch("Twitterbot/1.0", path), path
    assert not rules.can_fetch("Twitterbot/1.0", "/player/1/")
