"""Pages of exercises: the list with the visitor's scores, a question, and its answer."""

from __future__ import annotations

import secrets
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from lobby.accounts.visitors import account_of
from lobby.learn.exercise_scores import count_answer, next_seed, score_of, scores_of
from lobby.learn.exercises import EXERCISE_KINDS, LEVELS, Question, make_question, wanted_numbers
from lobby.learn.shown_exercises import NUMBER_NAMES, exercise_context, solution_context
from lobby.learn.tile_rows import shown_row

KIND_TEXTS: Final = {
    "waits": (_("Waits"), _("Which tiles complete the hand?"), "2345p"),
    "yaku": (_("Yaku"), _("Which yaku does the winning hand have?"), "!7z"),
    "points": (_("Points"), _("How many han, fu and points is the hand worth?"), "111z"),
    "kuikae": (
        _("Kuikae"),
        _("You have just called the open set. Which tiles may you not discard now?"),
        "<312m",
    ),
    "furiten": (
        _("Furiten"),
        _("Which discards leave you tenpai and furiten?"),
        "!8s",
    ),
    "kita": (_("Kita"), _("How many han are the dora of this hand, at a table of three?"), "4z"),
}
"""The name, the question and a picture of each kind."""
EXPLANATIONS: Final = {
    "waits": (_("Lesson: a complete hand"), "/learn/sets/"),
    "yaku": (_("All yaku, with examples"), "/learn/yaku/"),
    "points": (_("The tables of points"), "/learn/points/"),
    "kuikae": (_("Kuikae in the glossary"), "/learn/glossary/#kuikae"),
    "furiten": (_("Lesson: furiten"), "/learn/furiten/"),
    "kita": (_("Lesson: three players"), "/learn/three-players/"),
}
"""The link to the page that explains each kind: its text and address."""
LEVEL_NAMES: Final = {"easy": _("Easy"), "medium": _("Medium"), "hard": _("Hard")}
MAX_SEED: Final = 40


@never_cache
@require_safe
def exercises(request: HttpRequest) -> HttpResponse:
    """List the exercises, with the scores of the visitor's account."""
    person = account_of(request)
    scores = scores_of(person) if person is not None else {}
    kinds = [
        {
            "kind": kind,
            "name": KIND_TEXTS[kind][0],
            "text": KIND_TEXTS[kind][1],
            "row": shown_row(KIND_TEXTS[kind][2]),
            "levels": [
                {"level": level, "name": LEVEL_NAMES[level], "score": scores.get((kind, level))}
                for level in LEVELS
            ],
        }
        for kind in EXERCISE_KINDS
    ]
    context = {"kinds": kinds, "is_account": person is not None}
    return render(request, "learn/exercises.html", context)


@never_cache
@require_safe
def begin(request: HttpRequest, kind: str, level: str) -> HttpResponse:
    """Redirect to a question: the next one of an account, a random one for other visitors."""
    _check_address(kind, level)
    person = account_of(request)
    seed = secrets.token_hex(8) if person is None else next_seed(score_of(person, kind, level))
    return redirect("lobby:exercise", kind=kind, level=level, seed=seed)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def exercise(request: HttpRequest, kind: str, level: str, seed: str) -> HttpResponse:
    """Show a question. After an answer (POST) show whether it is right, and the solution."""
    _check_address(kind, level)
    if len(seed) > MAX_SEED:
        raise Http404
    asked = make_question(kind, level, seed)
    person = account_of(request)
    score = score_of(person, kind, level) if person is not None else None
    context: dict[str, Any] = {
        "kind": kind,
        "level": level,
        "name": KIND_TEXTS[kind][0],
        "level_name": LEVEL_NAMES[level],
        "text": _question_text(kind, asked),
        "explanation": EXPLANATIONS[kind],
        "is_answered": request.method == "POST",
        "counts": score is None or seed == next_seed(score),
    }
    chosen: frozenset[str] = frozenset(request.POST.getlist("option"))
    given = {name: request.POST.get(name, "")[:8] for name in NUMBER_NAMES}
    if request.method == "POST":
        is_right = asked.is_right(chosen if asked.options else given)
        context["is_right"] = is_right
        if score is not None and person is not None:
            count_answer(score, seed, is_right=is_right)
            score = score_of(person, kind, level)
        context |= solution_context(asked)
    context |= exercise_context(asked, chosen, given, is_answered=request.method == "POST")
    context["score"] = score
    return render(request, "learn/exercise.html", context)


def _question_text(kind: str, asked: Question) -> Any:
    if kind == "points" and "fu" not in wanted_numbers(asked):
        return _("How many han and points is the hand worth?")
    return KIND_TEXTS[kind][1]


def _check_address(kind: str, level: str) -> None:
    if kind not in EXERCISE_KINDS or level not in LEVELS:
        raise Http404
