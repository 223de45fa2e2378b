"""Pages on which people learn the game: lessons, yaku, points, the glossary, rules side by side."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import condition, require_safe

from game.engine.presets import ALL_PRESETS, PRESETS
from game.engine.rules import TENHOU, RuleSet
from game.results.game_text import preset_name
from game.results.ladders import preset_of
from game.results.made_once import made_once
from lobby.accounts.refusals import TOO_MANY_TRIES, View, with_error_pages
from lobby.accounts.visitors import person_id, visitor_of
from lobby.learn.final_ranking import final_ranking
from lobby.learn.glossary import GLOSSARY
from lobby.learn.lessons import LESSONS, Lesson
from lobby.learn.points_sheet import HAN, limit_rows, points_rows
from lobby.learn.rule_comparison import compare
from lobby.learn.tile_rows import shown_row
from lobby.learn.yaku_sheet import yaku_sheet
from lobby.play.rule_sheet import main_values, rules_label
from lobby.play.table_list import rules_seen_by


def unchanging(view: View) -> View:
    """Wrap a view: answer 304 if the browser already has the page in its present form for this
    reader.
    """
    kept: View = cache_control(private=True, no_cache=True)(condition(etag_func=_etag)(view))
    return kept


def _etag(request: HttpRequest, *_args: object, **_named: object) -> str:
    """Hash everything on which the page depends: the release, the address, the language, the
    colours, the CSRF cookie, and the reader.
    """
    visitor = visitor_of(request)
    reader = visitor and (visitor.pk, visitor.name, visitor.is_account)
    requests = getattr(request, "friend_request_count", 0)
    cookies = request.COOKIES.get("scheme"), request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    page = request.get_host(), request.get_full_path(), get_language()
    return f'"{sha256(repr((_release(), page, cookies, reader, requests)).encode()).hexdigest()}"'


@cache
def _release() -> str:
    """Hash the times and sizes of the files from which pages are made."""
    places = (("templates", "*.html"), ("locale", "*.mo"), ("build/static", "*"), ("lobby", "*.py"))
    files = [
        (str(path), path.stat().st_mtime_ns, path.stat().st_size)
        for place, pattern in places
        for path in sorted((settings.BASE_DIR / place).rglob(pattern))
    ]
    return sha256(repr(files).encode()).hexdigest()


_LESSON_PICTURES: Final = (
    "1m5p9s",
    "345p",
    "!7z",
    "<312m",
    "222z",
    "~5s",
    "!8s",
    "111z",
    "1234z",
    "567z",
    "4z",
)
"""A few tiles for each lesson in the list."""


@unchanging
@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """List the lessons and the other pages to learn from."""
    lessons = [
        {"number": number, "lesson": lesson, "row": shown_row(picture)}
        for number, (lesson, picture) in enumerate(zip(LESSONS, _LESSON_PICTURES, strict=True), 1)
    ]
    return render(request, "learn/index.html", {"lessons": lessons})


@unchanging
@require_safe
def lesson(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a lesson."""
    at = next((number for number, lesson in enumerate(LESSONS) if lesson.slug == slug), None)
    if at is None:
        raise Http404
    context = {
        "lesson": LESSONS[at],
        "number": at + 1,
        "count": len(LESSONS),
        "blocks": lambda: _shown_blocks(LESSONS[at]),
        "previous": LESSONS[at - 1] if at else None,
        "next": LESSONS[at + 1] if at + 1 < len(LESSONS) else None,
    }
    return render(request, "learn/lesson.html", context)


def _shown_blocks(shown: Lesson) -> list[dict[str, Any]]:
    return [
        {
            "heading": block.heading,
            "text": block.text,
            "rows": [([shown_row(line) for line in row.lines], row.caption) for row in block.rows],
            "ranking": block.final_scores and final_ranking(PRESETS["tenhou"], block.final_scores),
        }
        for block in shown.blocks
    ]


@unchanging
@require_safe
def yaku(request: HttpRequest) -> HttpResponse:
    """Show all yaku as they count with a preset."""
    key = _preset_of(request)
    context = {"groups": lambda: yaku_sheet(ALL_PRESETS[key]), **_preset_choice(key)}
    return render(request, "learn/yaku.html", context)


@unchanging
@require_safe
def points(request: HttpRequest) -> HttpResponse:
    """Show the points by han and fu with a preset."""
    key = _preset_of(request)
    context = {
        "han": HAN,
        "others": lambda: points_rows(ALL_PRESETS[key], is_dealer=False),
        "dealer": lambda: points_rows(ALL_PRESETS[key], is_dealer=True),
        "limits": lambda: limit_rows(ALL_PRESETS[key]),
        "players": ALL_PRESETS[key].players,
        **_preset_choice(key),
    }
    return render(request, "learn/points.html", context)


@unchanging
@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """Show the words of the game."""
    return render(request, "learn/glossary.html", {"groups": GLOSSARY})


@unchanging
@require_safe
def compare_rules(request: HttpRequest) -> HttpResponse:
    """Show where presets differ. The query has the presets in `rules`, two or more for one number
    of players; `players` is that number, by default that of the first preset.
    """
    named = [key for key in ALL_PRESETS if key in request.GET.getlist("rules")]
    first = ALL_PRESETS[named[0]].players if named else TENHOU.players
    players = {"3": 3, "4": 4}.get(request.GET.get("players", ""), first)
    offered = {key: rules for key, rules in ALL_PRESETS.items() if rules.players == players}
    chosen = [key for key in offered if key in named]
    if len(chosen) < 2:
        chosen = list(offered)
    context = {
        "choices": [(key, preset_name(key), key in chosen) for key in offered],
        "chosen": chosen,
        "players": players,
        "groups": lambda: compare({key: offered[key] for key in chosen}),
    }
    return render(request, "learn/rules.html", context)


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TRIES)
def table_yaku(request: HttpRequest, table_id: str) -> HttpResponse:
    """Return the rules of a table in short, and the yaku and points under them, for its help sheet.
    Only for people who may see the table, or its game once that is archived."""
    rules = rules_seen_by(person_id(request), table_id)
    if rules is None:
        raise Http404
    sheet = made_once("table-yaku", rules, get_language(), make=lambda: _table_yaku(rules))
    return HttpResponse(sheet)


def _table_yaku(rules: RuleSet) -> str:
    context = {
        "rules_label": rules_label(rules),
        "values": main_values(rules),
        "preset": preset_of(rules),
        "groups": yaku_sheet(rules),
        "han": HAN,
        "others": points_rows(rules, is_dealer=False),
        "dealer": points_rows(rules, is_dealer=True),
        "limits": limit_rows(rules),
        "players": rules.players,
    }
    return render_to_string("learn/table_yaku.html", context)


def _preset_of(request: HttpRequest) -> str:
    """Return the preset in the query. The parameter is `rules` or `preset`, as on the page of a
    rule set.
    """
    key = request.GET.get("rules") or request.GET.get("preset", "")
    return key if key in ALL_PRESETS else TENHOU.name


def _preset_choice(key: str) -> dict[str, Any]:
    return {
        "presets": [(preset, preset_name(preset)) for preset in ALL_PRESETS],
        "preset": key,
        "preset_name": preset_name(key),
    }
