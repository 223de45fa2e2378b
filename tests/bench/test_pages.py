"""`bench.pages` loads every address beside tables that play."""

from __future__ import annotations

import re

import pytest
from django.urls import get_resolver

from bench import pages
from tests.kit.long_form import IS_LONG
from tests.kit.routes import is_admin_route, list_routes


def test_every_address_is_loaded() -> None:
    public = [
        route
        for route in list_routes(get_resolver())
        if not is_admin_route(route) and "(?P" not in route
    ]
    loaded = list(pages.public_addresses({"slug": "bench"}))
    assert len(loaded) == 2 * len(public)
    assert not [address for address in loaded if "<" in address.path]
    assert pages.Address("GET", "/clubs/bench/") in loaded


def test_one_address_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """Whether it is above the aim depends on the machine."""
    pages.main(["--tables=1", "--seconds=1", "--long=1", "/learn/glossary/"])
    printed = capsys.readouterr().out
    assert re.search(r"^GET /learn/glossary/ +p99 .* \d+ x 200", printed, re.MULTILINE)


@pytest.mark.skipif(not IS_LONG, reason="half an hour each: LONG=1 runs it")
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("serves", pages.AIM_MS)
def test_no_page_slows_a_table(serves: str) -> None:
    assert pages.main([f"--serves={serves}"]) == 0
