"""Turns the Markdown of a club's page into safe HTML.

This is ensured twice: the parser does not pass HTML on, and the cleaner keeps only the elements
that are listed here. There are no images, so that nothing is loaded from other sites.
"""

from __future__ import annotations

from typing import Final

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_parser: Final = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_TAGS: Final = frozenset(
    """
    a blockquote br code em h2 h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul
    """.split()  # noqa: SIM905
)
_LOWEST_HEADING: Final = 6


def render_markdown(text: str) -> SafeString:
    """Return the HTML of that text. Its headings begin one level below the page's own."""
    tokens = _parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_LOWEST_HEADING, int(token.tag[1]) + 1)}"
    html = _parser.renderer.render(tokens, _parser.options, {})
    cleaned = nh3.clean(
        html,
        tags=set(_TAGS),
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
    )
    return mark_safe(cleaned)
