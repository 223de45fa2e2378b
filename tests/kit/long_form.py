"""Says whether the tests try every form of a case, or those that suffice for each change."""

from __future__ import annotations

import os
from typing import Final

IS_LONG: Final = bool(os.environ.get("LONG"))
"""Set by ``LONG=1``."""
