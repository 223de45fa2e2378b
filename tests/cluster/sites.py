"""A site whose tables are kept by several Redis servers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.kit.processes import Site
from tests.kit.redises import Cluster, Sentinels
from tests.web.site import Served, serve


@contextmanager
def site_over(
    redis: Cluster | Sentinels, directory: Path, database: Path, *, daphnes: int
) -> Iterator[Served]:
    """Web servers and a worker over them; all ends with the block."""
    site = Site(redis, directory, database)
    try:
        redis.start()
        yield serve(site, daphnes=daphnes, workers=1)
    finally:
        site.stop()
        redis.kill()
