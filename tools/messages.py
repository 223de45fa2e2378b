"""Finds the messages to translate in templates, in code and in the client's English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from django.template import engines
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

from tools.script_data import Data
from tools.words import CLIENT_ENGLISH, ROOT

CODE: Final = ("game", "lobby", "mahjong_site")

_CALLS: Final = {
    name: (has_context, is_counted)
    for names, has_context, is_counted in (
        (("_", "gettext", "gettext_lazy", "gettext_noop"), False, False),
        (("ngettext", "ngettext_lazy"), False, True),
        (("pgettext", "pgettext_lazy"), True, False),
        (("npgettext", "npgettext_lazy"), True, True),
    )
    for name in names
}


@dataclass(frozen=True, slots=True)
class Message:
    """A text in English. The context of the client's texts is where they stand in `en.js`."""

    text: str
    plural: str | None = None
    context: str | None = None
    places: tuple[str, ...] = ()


def all_messages(texts: Data) -> list[Message]:
    """Return every message once, with all files that contain it."""
    found: dict[tuple[str | None, str], Message] = {}
    for message in (*_read_templates(), *read_code(), *_read_client(texts)):
        key = message.context, message.text
        known = found.setdefault(key, message)
        places = dict.fromkeys([*known.places, *message.places])
        plural = known.plural or message.plural
        found[key] = replace(known, places=tuple(places), plural=plural)
    return list(found.values())


_ARGUMENT: Final = re.compile(r'[=:]_\("([^"]+)"\)')
"""A text that a template passes to another template or to a filter."""


def _read_templates() -> Iterator[Message]:
    for path in sorted(path for path in (ROOT / "templates").rglob("*") if path.is_file()):
        template = engines["django"].get_template(str(path.relative_to(ROOT / "templates")))
        nodes = template.template.nodelist  # type: ignore[attr-defined]  # of this backend only
        place = (path.relative_to(ROOT).as_posix(),)
        for node in nodes.get_nodes_by_type(TranslateNode):
            context = _literal_text(node.message_context)
            yield Message(str(node.filter_expression.var.literal), None, context, place)
        for node in nodes.get_nodes_by_type(BlockTranslateNode):
            text, _ = node.render_token_list(node.singular)
            plural, _ = node.render_token_list(node.plural) if node.plural else (None, ())
            yield Message(text, plural, _literal_text(node.message_context), place)
        for text in _ARGUMENT.findall(path.read_text(encoding="utf-8", errors="replace")):
            yield Message(text, None, None, place)


def _literal_text(expression: object) -> str | None:
    var = getattr(expression, "var", None)
    return None if var is None else str(getattr(var, "literal", var))


def read_code() -> Iterator[Message]:
    """Yield the messages in the code. Raises ValueError for a text that is not a literal."""
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = (path.relative_to(ROOT).as_posix(),)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    yield from _read_call(node.func.id, node.args, place)


def _read_call(name: str, given: list[ast.expr], place: tuple[str, ...]) -> Iterator[Message]:
    if name not in _CALLS:
        return
    has_context, is_counted = _CALLS[name]
    wanted = given[: 1 + has_context + is_counted]
    strings = [arg.value for arg in wanted if isinstance(arg, ast.Constant)]
    if len(strings) < len(wanted) or not all(isinstance(string, str) for string in strings):
        raise ValueError(f"{place[0]}: {name}() is given something else than plain text")
    texts = [str(string) for string in strings]
    context = texts.pop(0) if has_context else None
    yield Message(texts[0], texts[1] if is_counted else None, context, place)


def _read_client(texts: Data) -> Iterator[Message]:
    place = (CLIENT_ENGLISH.relative_to(ROOT).as_posix(),)

    def walked(data: Data, path: str) -> Iterator[Message]:
        if isinstance(data, str):
            yield Message(data, None, path, place)
        elif data.keys() == {"one", "other"}:
            yield Message(str(data["one"]), str(data["other"]), path, place)
        else:
            for key, value in data.items():
                yield from walked(value, f"{path}.{key}")

    assert isinstance(texts, dict)
    for key, value in texts.items():
        if key != "locale":
            yield from walked(value, key)
