"""Finds the bundles of the client's modules and style sheets.

`tools.bundle` writes bundles below `build/`, from the sources below `static/`. A bundle is used
only if it was made from exactly the sources that are here; otherwise pages load the sources
themselves.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from django import template
from django.conf import settings
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from mahjong_site.content_policy import allow_style

ROOT: Final = Path(__file__).parents[1]
STATIC: Final = ROOT / "static"
BUILD: Final = ROOT / "build" / "static"
MANIFEST: Final = "bundles.json"
ENTRIES: Final = (
    ("css/table_frame.css", "css/table.css", "css/table_results.css", "js/main.js"),
    ("js/replay/replay.js", "js/replay/review.js"),
    ("js/gallery/gallery.js",),
    ("js/first_socket.js",),
    ("js/table/names/en.js", "js/table/names/fr.js", "js/table/names/ja.js"),
    (
        *("css/site.css", "js/pages/site.js", "js/pages/lobby.js"),
        *("js/pages/live_boards.js", "js/pages/front_page.js"),
    ),
    ("css/site/avatars.css", "css/site/figures.css", "css/site/learn.css"),
)
"""What is bundled with all that it imports, relative to `static/`: the table, the replay, the
gallery, the first socket of a table, the texts of all three, the pages around them, and sheets of
these pages that import others. Rows share no file, since files for two pages made the first load of
a table 3 kB larger."""
WHOLE: Final = ("js/main.js", "js/replay/replay.js")
"""Scripts that become one file with all that they import. Modules that their pages load later
import that file, so these scripts may not wait at their top level."""

_LATIN_FONT_URL: Final = re.compile(r'url\("\.\./(fonts/[^"]+-latin-[0-9A-F]{8}\.woff2)"\)')

register = template.Library()


@register.simple_tag
def bundle(source: str) -> str:
    """Return the address of the bundle of that source file; that of the file itself if it has no
    bundle."""
    return static(_read_manifest()[0].get(source, source))


@register.simple_tag(takes_context=True)
def inline_style(context: Context, source: str) -> str:
    """Return the bundle of a style sheet as a `style` element, so that the page is styled before
    any other file has loaded. The page's policy is made to allow it. Without bundles, return a link
    to the sheet."""
    text = _bundled_text(source)
    if text is None:
        return format_html('<link rel="stylesheet" href="{}">', static(source))
    allow_style(context["request"], text)
    return mark_safe(f"<style>{text}</style>")  # a style sheet of this site


@register.simple_tag
def preload_font() -> str:
    """Return a link that loads the font of Latin text early, before the style sheets that name it.
    (The names of font files change with their contents; `tools.subset_fonts` writes them.)"""
    found = _LATIN_FONT_URL.search((STATIC / "css" / "fonts.css").read_text(encoding="utf-8"))
    assert found is not None
    return format_html(
        '<link rel="preload" as="font" type="font/woff2" crossorigin href="{}">', static(found[1])
    )


@register.simple_tag
def preloads(source: str) -> str:
    """Return links that load the bundle of a module and all its imports at once. Without bundles,
    return a link for the module only."""
    bundles, imports = _read_manifest()
    found = [bundles.get(source, source)]
    for path in found:
        found += [other for other in imports.get(path, ()) if other not in found]
    link = '<link rel="modulepreload" href="{}">'
    return format_html_join("", link, ((static(path),) for path in found))


def fingerprint() -> str:
    """Return a hash of all scripts, all style sheets and the lists of bundles."""
    digest = hashlib.sha256(repr((ENTRIES, WHOLE)).encode())
    for kind in ("css", "js"):
        for path in sorted((STATIC / kind).rglob(f"*.{kind}")):
            digest.update(f"{path.relative_to(STATIC)}\n{path.stat().st_size}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def forget_bundles() -> None:
    """Drop the cached list of bundles, so that the next request reads it again."""
    _read_manifest.cache_clear()
    _bundled_text.cache_clear()


@lru_cache(maxsize=4)
def _bundled_text(source: str) -> str | None:
    path = _read_manifest()[0].get(source)
    try:
        return None if path is None else (BUILD / path).read_text().strip()
    except OSError:
        return None


@lru_cache(maxsize=1)
def _read_manifest() -> tuple[dict[str, str], dict[str, list[str]]]:
    """Read the bundle of each source, and the imports of each bundle. Both are empty if the bundles
    were made from other sources."""
    if settings.DEBUG:  # scripts change while the site runs
        return {}, {}
    try:
        found = json.loads((BUILD / MANIFEST).read_text())
        is_of_sources = found["fingerprint"] == fingerprint()
        return (found["bundles"], found["imports"]) if is_of_sources else ({}, {})
    except (OSError, ValueError, KeyError, TypeError):
        return {}, {}
