"""A site whose tables are kept by several Redis servers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.kit.processes import Site
from tests.kit.redises import Cluster, Sentinels
from tests.web.site import RunningSite, serve


@contextmanager
def site_over(
    redis: Cluster | Sentinels, directory: Path, database: Path, *, daphnes: int
) -> Iterator[RunningSite]:
    """Yield a site whose web servers and worker use these Redis servers; end it after the block."""
    site = Site(redis, directory, database)  # type: ignore[arg-type]  # needs only the URL
    try:
        redis.start()
        yield serve(site, daphnes=daphnes, workers=1)
    finally:
        site.stop()
        redis.kill()
