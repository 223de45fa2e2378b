"""Templates lose the line breaks of their layout, and no space that a reader sees."""

from __future__ import annotations

import pytest
from django.template.loader import get_template

from mahjong_site.template_loader import join_lines


@pytest.mark.parametrize(
    ("template", "loaded"),
    [
        (
            "{% if x %}\n  <p>\n    {{ y }}\n  </p>\n{% endif %}\n",
            "{% if x %}<p>{{ y }}</p>{% endif %}",
        ),
        ("<p>\n  two\n  words,\n  <b>bold</b>\n</p>", "<p>two words,<b>bold</b></p>"),
        ('<b>a</b>{{ " " }}\n<b>b</b> <b>c</b>', '<b>a</b>{{ " " }}<b>b</b> <b>c</b>'),
        (
            '<a href="x"\n   {% if y > 1 %}rel="z"{% endif %}\n   id="i">',
            '<a href="x" {% if y > 1 %}rel="z"{% endif %} id="i">',
        ),
        ('<input placeholder="a\n  b"\n       required>', '<input placeholder="a\n  b" required>'),
    ],
)
def test_break_is_nothing_beside_a_tag_and_a_space_elsewhere(template: str, loaded: str) -> None:
    assert join_lines(template) == loaded


@pytest.mark.parametrize(
    "kept",
    [
        "<pre>\n a\n  b</pre>",
        "<textarea\n>\n a\n</textarea>",
        "{% blocktranslate trimmed %}\n  a\n  b\n{% endblocktranslate %}",
    ],
)
def test_breaks_that_mean_something_are_kept(kept: str) -> None:
    assert join_lines(f"<p>\n  {kept}\n</p>\n") == f"<p>{kept}</p>"


def test_only_pages_lose_their_breaks() -> None:
    assert "\n" not in get_template("lobby/field.html").template.source  # type: ignore[attr-defined]
    assert get_template("robots.txt").template.source.count("\n") > 9  # type: ignore[attr-defined]
