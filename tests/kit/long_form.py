"""Says whether tests try every variant of a case (`LONG` is set), or only those that suffice for
each change."""

from __future__ import annotations

import os
from typing import Final

IS_LONG: Final = bool(os.environ.get("LONG"))
"""Set by ``LONG=1``."""
