"""``python -m mahjong_site.health PORT``: whether the web server there answers, as an exit code.

For container engines, which ask every few seconds: nothing of the site is loaded.
"""

from __future__ import annotations

import http.client
import os
import sys
from collections.abc import Sequence
from typing import Final

_WITHIN_S: Final = 4


def answers(port: int) -> bool:
    """Asked under the first name at which people reach the site, as others are turned away."""
    names = os.environ.get("ALLOWED_HOSTS", "").replace(",", " ").split() or ["localhost"]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_WITHIN_S)
    try:
        connection.request("GET", "/healthz", headers={"Host": names[0].lstrip(".")})
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def main(arguments: Sequence[str]) -> int:
    return 0 if len(arguments) == 1 and answers(int(arguments[0])) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
