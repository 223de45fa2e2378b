"""Running sites for the tests of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.site import Site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One Redis, two Daphnes, one worker, for all tests of a module that do no harm."""
    running = Site(tmp_path_factory.mktemp("site"))
    try:
        running.start(daphnes=2, workers=1)
        yield running
    finally:
        running.stop()


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """Not yet started, to be ill-treated."""
    running = Site(tmp_path)
    yield running
    running.stop()
