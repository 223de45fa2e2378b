"""What a web server serves."""

from __future__ import annotations

from typing import Literal

Role = Literal["pages", "tables", "all"]
"""Pages, sockets (`/ws/`), or both. Every role answers health checks and serves metrics."""
