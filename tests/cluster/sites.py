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
    """Run web servers and a worker on these Redis servers until the block ends."""
    site = Site(redis, directory, database)  # type: ignore[arg-type]  # needs only the URL
    try:
        redis.start()
        yield serve(site, daphnes=daphnes, workers=1)
    finally:
        site.stop()
        redis.kill()
