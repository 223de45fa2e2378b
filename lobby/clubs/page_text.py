"""Turns Markdown into safe HTML, for all pages of the site.

Safety is ensured twice: the parser does not pass HTML on, and the cleaner keeps only the elements
that are listed here. There are no images, so that nothing is loaded from other sites.

The work for one text is limited while it is done, by counting: a text of 20,000 characters can ask
for 65,000 cells of a table, or let the parser look for the end of a link from every position.
Even so a text may take a tenth of a second, so callers on the event loop use a thread.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any, Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

RENDERER_VERSION: Final = 1
"""To be raised when the same text gives other HTML, so that stored HTML is rendered again."""
MAX_CELLS: Final = 2_000
"""The most cells of all tables of a text."""
MAX_HTML_BYTES: Final = 100_000
_MAX_STEPS: Final = 25_000
"""The most calls of the parser's rules for a text, with those that tokens count for. A page of
20,000 characters with lists, tables and links takes 21,000, in about 50 ms."""
_STEPS_OF_A_TOKEN: Final = 2
"""How many calls of rules take as much time as making, rendering and cleaning one token."""
_STEPS_OF_A_LINK: Final = 20
"""The same for each of the two tokens of a link, whose address is normalised."""
_STEPS_OF_RULES: Final = {"reference": 20}
"""The same for calls of rules that cost more than others."""
_ALLOWED_TAGS: Final = frozenset(
    """
    a blockquote br code em h2 h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul
    """.split()  # noqa: SIM905
)
_LOWEST_HEADING: Final = 6
_CUT_ENTITY: Final = re.compile(r"&[^;]{0,5}\Z")


class TooComplex(Exception):
    """The text has more formatting than may be rendered."""


def render_markdown(text: str) -> str:
    """Return the HTML of that text. Its headings begin one level below the page's own. Raises
    TooComplex."""
    tokens = _parser.parse(text, {"steps": 0, "cells": 0})
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_LOWEST_HEADING, int(token.tag[1]) + 1)}"
    # The address of a reference is written once and rendered with each of its links.
    _check_size(_text_length(tokens))
    rendered = _parser.renderer.render(tokens, _parser.options, {})
    _check_size(len(rendered.encode()))
    return nh3.clean(
        rendered,
        tags=set(_ALLOWED_TAGS),
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
    )


def render_or_quote(text: str) -> str:
    """Return the HTML of that text, or the text as it was written if it is too complex."""
    try:
        return render_markdown(text)
    except TooComplex:
        room = MAX_HTML_BYTES - len("<pre></pre>")
        quoted = html.escape(text, quote=False).encode()[:room].decode(errors="ignore")
        return f"<pre>{_CUT_ENTITY.sub('', quoted)}</pre>"


def _text_length(tokens: list[Token]) -> int:
    """Count the characters of these tokens in the HTML, without tags."""
    size = 0
    for token in tokens:
        size += _text_length(token.children) if token.children else len(token.content)
        if token.attrs:
            size += sum(len(str(value)) for value in token.attrs.values())
    return size


def _check_size(size: int) -> None:
    if size > MAX_HTML_BYTES:
        raise TooComplex


def _count_steps(env: Any, steps: int) -> None:
    env["steps"] += steps
    if env["steps"] > _MAX_STEPS:
        raise TooComplex


class _Tokens(list[Token]):
    """The block tokens of a text or the inline tokens of a block. Counts them as they are added,
    since the parser's rule for tables adds all cells in one call. Raises TooComplex."""

    def __init__(self, env: Any) -> None:
        super().__init__()
        self._env = env

    def append(self, token: Token) -> None:
        if token.type in ("td_open", "th_open"):
            self._env["cells"] += 1
            if self._env["cells"] > MAX_CELLS:
                raise TooComplex
        _count_steps(self._env, _STEPS_OF_A_LINK if token.tag == "a" else _STEPS_OF_A_TOKEN)
        super().append(token)


def _count_block_tokens(state: StateCore) -> None:
    state.tokens = _Tokens(state.env)


def _count_inline_tokens(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline":
            token.children = _Tokens(state.env)


def _count_calls(rule: Callable[..., Any], steps: int) -> Callable[..., Any]:
    """Wrap a rule of the parser: each call counts as that many steps."""

    def call(state: Any, *args: Any) -> Any:
        _count_steps(state.env, steps)
        return rule(state, *args)

    return call


def _make_parser() -> MarkdownIt:
    # The preset also limits nesting, to 20 tokens.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.core.ruler.before("block", "count_block_tokens", _count_block_tokens)
    parser.core.ruler.before("inline", "count_inline_tokens", _count_inline_tokens)
    for ruler in (parser.block.ruler, parser.inline.ruler):
        for rule in ruler.__rules__:  # the parser offers no other way to wrap all rules
            rule.fn = _count_calls(rule.fn, _STEPS_OF_RULES.get(rule.name, 1))
    return parser


_parser: Final = _make_parser()
