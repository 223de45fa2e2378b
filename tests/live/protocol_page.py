"""Reads the sections and samples of `docs/protocol.md`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """Return the text under that heading, to the next heading of the same or a higher level."""
    found = re.search(
        rf"^(#+) {re.escape(title)}$(.*?)(?=^#{{1,2}} |\Z)", PAGE, re.DOTALL | re.MULTILINE
    )
    assert found, f"the page has no section {title!r}"
    return found[2]


def samples(text: str) -> list[dict[str, Any]]:
    """Return every JSON object in the section, in backticks or in a fenced block."""
    inline = re.findall(r"`(\{.*?\})`(?= ?\||$| [(a-z])", text, re.MULTILINE)
    fenced = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    return [json.loads(found) for found in inline + fenced]
