"""Pages of puzzles: the overview with the visitor's score, a puzzle, and its answer."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from game.puzzles.puzzle import THEMES, shipped_puzzles
from game.results.ladders import displayed_rating
from lobby.accounts.visitors import account_of
from lobby.models import Person
from lobby.puzzles.scores import NEW_BELOW, answers_to, count_answer, next_key, score_of
from lobby.puzzles.shown_puzzle import (
    LEVEL_NAMES,
    THEME_NAMES,
    position_context,
    solution_context,
)


@never_cache
@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    """Show the themes, and the score of the visitor's account."""
    counts = Counter(puzzle.theme for puzzle in shipped_puzzles().values())
    context = {
        "themes": [
            {"key": theme, "name": THEME_NAMES[theme], "count": counts[theme]}
            for theme in THEMES
            if counts[theme]
        ],
        "count": counts.total(),
        **_score_context(account_of(request)),
        "has_answered_all": "done" in request.GET,
    }
    return render(request, "puzzles/index.html", context)


@never_cache
@require_safe
def next_puzzle(request: HttpRequest) -> HttpResponse:
    """Redirect to a puzzle near the visitor's strength, of the theme in the query if it names
    one."""
    theme = request.GET.get("theme", "")
    theme = theme if theme in THEMES else ""
    key = next_key(account_of(request), shipped_puzzles(), theme)
    if not key:
        return redirect("/learn/puzzles/?done")
    address = redirect("lobby:puzzle", key=key)
    if theme:
        address["Location"] += f"?theme={theme}"
    return address


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, key: str) -> HttpResponse:
    """Show a puzzle. After an answer (POST) show whether it is right, and why."""
    asked = shipped_puzzles().get(key)
    if asked is None:
        raise Http404
    person = account_of(request)
    theme = request.GET.get("theme", "")
    context = {
        "theme": theme if theme in THEMES else "",
        "theme_name": THEME_NAMES[asked.theme],
        "level_name": LEVEL_NAMES[asked.level],
        "key": key,
        **position_context(asked),
    }
    given = request.POST.get("answer", "")
    if request.method == "POST" and given.isdecimal() and int(given) < len(asked.choices):
        chosen = int(given)
        counts = person is not None and count_answer(person, asked, chosen)
        context |= {
            "is_answered": True,
            "counts": counts,
            **_score_context(person),
            **solution_context(asked, chosen),
        }
    context["is_new"] = answers_to(asked) < NEW_BELOW
    return render(request, "puzzles/puzzle.html", context)


def _score_context(person: Person | None) -> dict[str, Any]:
    """Return the score and the displayed rating of an account; None of both for a guest."""
    if person is None:
        return {"score": None, "rating": None}
    score = score_of(person)
    return {"score": score, "rating": displayed_rating((score.mu, score.sigma))}
