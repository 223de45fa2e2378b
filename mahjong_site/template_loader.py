"""Loads the templates of the site without the line breaks of their layout.

Templates are broken into lines for their authors, also in the middle of a sentence. A line break
with the white space around it becomes

- nothing next to a tag of HTML or of Django: `{{ " " }}` is a space there,
- one space between two words, and between the attributes of a tag.

Values of attributes, `<pre>`, `<textarea>` and `{% blocktranslate %}` stay as they are: the text of
the last is looked up in the catalogues.
"""

from __future__ import annotations

import re
from typing import Final

from django.template import Origin
from django.template.loaders import filesystem

_BREAKS: Final = re.compile(
    r"(?P<kept><(?P<name>pre|textarea)\b.*?</(?P=name)>"
    r"|{% blocktranslate\b.*?{% endblocktranslate %})"
    r'|(?P<tag><[a-z](?:"[^"]*"|{%.*?%}|[^">])*>)'
    r"|(?P<beside>(?:\A|(?<=[>}]))\s*\n\s*|\s*\n\s*(?=[<{]|\Z))"
    r"|\s*\n\s*",
    re.DOTALL,
)
_BREAKS_IN_TAG: Final = re.compile(r'("[^"]*")|\s*\n\s*')


class Loader(filesystem.Loader):
    """Loads templates as Django does, and removes the line breaks from `.html` files."""

    def get_contents(self, origin: Origin) -> str:
        text = super().get_contents(origin)
        return join_lines(text) if origin.name.endswith(".html") else text


def join_lines(template: str) -> str:
    return _BREAKS.sub(_replace_break, template)


def _replace_break(found: re.Match[str]) -> str:
    if found["kept"]:
        return found["kept"]
    if found["tag"]:
        return _BREAKS_IN_TAG.sub(lambda part: part[1] or " ", found["tag"])
    return " " if found["beside"] is None else ""
