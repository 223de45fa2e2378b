"""Finds the font files of the pages. `tools.subset_fonts` writes them; their names change with
their contents, so browsers keep them for good."""

from __future__ import annotations

import re
from typing import Final

from django import template
from django.templatetags.static import static
from django.utils.html import format_html

from mahjong_site.bundles import STATIC

_LATIN: Final = re.compile(r'url\("\.\./(fonts/[^"]+-latin-[0-9A-F]{8}\.woff2)"\)')

register = template.Library()


@register.simple_tag
def preload_font() -> str:
    """Return a link that loads the font of Latin text before the sheets that name it have come."""
    found = _LATIN.search((STATIC / "css" / "fonts.css").read_text(encoding="utf-8"))
    assert found is not None
    return format_html(
        '<link rel="preload" as="font" type="font/woff2" crossorigin href="{}">', static(found[1])
    )
