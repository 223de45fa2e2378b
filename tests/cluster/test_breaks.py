"""When a part of a Redis Cluster hangs or is removed, only the tables on that part stop."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.cluster.breaks import hung_master, remove_node, site_on_cluster

MAX_PAUSE_S: Final = 1.5
"""The longest allowed pause at a table whose own node works."""


async def test_hung_master_and_removed_node_stop_no_other_tables(
    migrated_database: Path, tmp_path: Path
) -> None:
    with site_on_cluster(tmp_path, migrated_database, replicas=False) as stage:
        await stage.open(tables=2)
        try:
            hung = await hung_master(stage, hung_s=3.5)
            removed = await remove_node(stage, unreachable_s=4.0)
        finally:
            await stage.close()
    print(hung, removed, sep="\n")
    assert hung.others_s < MAX_PAUSE_S, hung
    assert (hung.lost, hung.doubled) == (0, 0)
    assert removed.affected_s < MAX_PAUSE_S, removed
    assert (removed.lost, removed.doubled) == (0, 0)
