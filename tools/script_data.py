"""Reads and writes the texts in a JavaScript module: objects of objects of strings, no code."""

from __future__ import annotations

import json
import re
from typing import Final

Data = str | dict[str, "Data"]

LINE: Final = 100

_TOKEN: Final = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<key>\w+)|(?P<sign>[{}:,+])""",
    re.DOTALL,
)


def parse_data(source: str, name: str) -> Data:
    """Return the data of `export const <name> = {...};`. Raises ValueError for code in it."""
    start = re.search(rf"^export const {name} = ", source, re.MULTILINE)
    if start is None:
        raise ValueError(f"there is no {name}")
    data: Data = json.loads("".join(_object_as_json(source, start.end())))
    return data


def _object_as_json(source: str, at: int) -> list[str]:
    """Return the tokens from there to the end of the object, keys as strings."""
    tokens: list[str] = []
    depth = 0
    while not tokens or depth > 0:
        found = _TOKEN.match(source, at)
        if found is None:
            line = source.count("\n", 0, at) + 1
            raise ValueError(f"line {line} is no plain text: {source[at : at + 40]!r}")
        at = found.end()
        if found["skip"]:
            continue
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if found[0] == "}" and tokens[-1] == ",":
            tokens.pop()
        if found["string"] and tokens[-1] == "+":  # a text over several lines
            tokens.pop()
            tokens.append(tokens.pop()[:-1] + found[0][1:])
            continue
        tokens.append(json.dumps(found[0]) if found["key"] else found[0])
    return tokens


def format_data(data: Data, indent: str = "") -> str:
    """Return the data as source, an object on one line if it fits."""
    if isinstance(data, str):
        return json.dumps(data, ensure_ascii=False)
    inner = f"{indent}  "
    items = [f"{_format_key(key)}: {format_data(value, inner)}" for key, value in data.items()]
    on_one = f"{{ {', '.join(items)} }}"
    if indent and len(on_one) < LINE // 2 and "\n" not in on_one:
        return on_one
    return "{\n" + "".join(f"{inner}{item},\n" for item in items) + f"{indent}}}"


def _format_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z_]\w*|[1-9]\d*", key) else json.dumps(key)
