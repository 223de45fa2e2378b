"""``python -m mahjong_site.health PORT``: exit with 0 if the web server on that port answers.

Container engines run this every few seconds, so it imports nothing else of the site.
"""

from __future__ import annotations

import http.client
import os
import sys
from collections.abc import Sequence
from typing import Final

_WITHIN_S: Final = 4


def request_status(host: str, port: int, path: str, allowed_hosts: Sequence[str]) -> int | None:
    """Return the HTTP status of that page; None without an answer. The request names the first of
    the allowed hosts, since the site refuses others."""
    connection = http.client.HTTPConnection(host, port, timeout=_WITHIN_S)
    try:
        connection.request("GET", path, headers={"Host": allowed_name(allowed_hosts)})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def allowed_name(allowed_hosts: Sequence[str]) -> str:
    """Return a host name that ALLOWED_HOSTS accepts."""
    return next(iter(allowed_hosts), "localhost").lstrip(".").replace("*", "localhost")


def main(arguments: Sequence[str]) -> int:
    hosts = os.environ.get("ALLOWED_HOSTS", "").replace(",", " ").split()
    status = request_status("127.0.0.1", int(arguments[0]), "/healthz", hosts)
    return 0 if status == http.client.OK else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
