"""``python -m bench.idle [--seconds N]``: the CPU of each process of a site that nobody uses.

Starts ``manage.py serve`` in an empty directory, opens and closes two sockets, and reads the CPU
time of its processes from the kernel.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Final

import psutil

from bench import report
from bench.socket_clients import Socket
from tests.infra.site_runs import Run
from tests.kit.processes import migrate_database
from tests.web.short_forms import with_version

SETTLES_S: Final = 10.0
"""Wait after the start, so that the work of starting is not measured."""
_VISIT_S: Final = 1.0


class PublicSite(Run):
    """A public site with one web server and one worker, on this machine only."""

    words = ("serve", "--processes", "1", "--workers", "1")


def measure(seconds: float, settles_s: float) -> dict[str, float]:
    """Return the share of one core, in percent, of each process of an idle site."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        data = Path(directory) / "site"
        data.mkdir(mode=0o700)
        migrate_database(data)
        site = PublicSite(data, 1, ALLOWED_HOSTS="127.0.0.1").open()
        try:
            asyncio.run(_visit(f"127.0.0.1:{site.port}"))
            time.sleep(settles_s)
            processes = [psutil.Process(site.pid), *site.family]
            before = [_cpu_s(process) for process in processes]
            time.sleep(seconds)
            return {
                _name(process): 100 * (_cpu_s(process) - spent) / seconds
                for process, spent in zip(processes, before, strict=True)
            }
        finally:
            site.clean_up()


async def _visit(address: str) -> None:
    """Open and close the socket of a table and the lobby's socket. The web server then stays
    subscribed to both."""
    host, port = address.split(":")
    sockets = []
    for path in ("table/none", "lobby"):
        url = with_version(f"ws://{address}/ws/{path}/")
        _, socket = await asyncio.get_running_loop().create_connection(
            partial(Socket, url, "", lambda text: None), host, int(port)
        )
        await socket.opened
        sockets.append(socket)
    await asyncio.sleep(_VISIT_S)
    for socket in sockets:
        socket.abort()


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def _name(process: psutil.Process) -> str:
    words = process.cmdline()
    if "worker" in words:
        return "worker"
    if "mahjong_site.web" in words:
        return "web server"
    return "supervisor" if "serve" in words else "Redis"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.idle", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long; 60 by default")
    seconds = parser.parse_args().seconds
    report.print_heading(f"an idle site: CPU of each process, over {seconds:.0f} s")
    for name, percent in measure(seconds, min(SETTLES_S, seconds)).items():
        report.print_line(name, f"{percent:>6.2f} % of a core")


if __name__ == "__main__":
    main()
