"""Rates people and puzzles by first answers, and chooses the next puzzle of a person.

An answer is a game of two: a right one is a win of the person, a wrong one a win of the puzzle.
Only the first answer of an account to a puzzle counts. Guests are not rated.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from django.db import IntegrityError, transaction

from game.puzzles.puzzle import Puzzle
from game.results.ladders import MU, Skill, skills_after_game
from lobby.models import Person, PuzzleAnswer, PuzzleRating, PuzzleScore

NEW_BELOW: Final = 30
"""A puzzle with fewer first answers is marked as new."""
_FIRST_MU: Final = {"easy": MU - 4, "medium": MU, "hard": MU + 4}
"""The mean strength of a puzzle without answers, by its level."""
_NEAREST: Final = 8
"""The next puzzle is one of this number whose strength is nearest to the person's."""


def score_of(person: Person) -> PuzzleScore:
    """Return the score of the account; before the first answer a new one that is not saved."""
    return PuzzleScore.objects.filter(person=person).first() or PuzzleScore(person=person)


def answers_to(puzzle: Puzzle) -> int:
    """Return how many accounts have answered the puzzle."""
    found = PuzzleRating.objects.filter(key=puzzle.key).values_list("answers", flat=True)
    return found.first() or 0


def next_key(person: Person | None, puzzles: Mapping[str, Puzzle], theme: str = "") -> str:
    """Return the key of a puzzle that the account has not answered, near its strength; for a guest
    any. '' if none is left."""
    keys = {key for key, puzzle in puzzles.items() if theme in ("", puzzle.theme)}
    if person is None:
        return random.choice(sorted(keys)) if keys else ""
    keys -= set(PuzzleAnswer.objects.filter(person=person).values_list("key", flat=True))
    known = dict(PuzzleRating.objects.values_list("key", "mu"))
    strength = {key: known.get(key, _FIRST_MU[puzzles[key].level]) for key in keys}
    mu = score_of(person).mu
    nearest = sorted(keys, key=lambda key: (abs(strength[key] - mu), key))[:_NEAREST]
    return random.choice(nearest) if nearest else ""


def count_answer(person: Person, puzzle: Puzzle, choice: int) -> bool:
    """Count the first answer of the account to the puzzle. Return False for a later one."""
    is_right = choice == puzzle.best
    try:
        with transaction.atomic():
            PuzzleAnswer.objects.create(
                person=person, key=puzzle.key, choice=choice, is_right=is_right
            )
            _rate(person, puzzle, is_right=is_right)
    except IntegrityError:
        return False
    return True


def _rate(person: Person, puzzle: Puzzle, *, is_right: bool) -> None:
    """Change the ratings of both. The rows are locked, the puzzle's first."""
    PuzzleRating.objects.get_or_create(key=puzzle.key, defaults={"mu": _FIRST_MU[puzzle.level]})
    PuzzleScore.objects.get_or_create(person=person)
    rating = PuzzleRating.objects.select_for_update().get(key=puzzle.key)
    score = PuzzleScore.objects.select_for_update().get(person=person)
    skills: list[Skill] = [(score.mu, score.sigma), (rating.mu, rating.sigma)]
    after = skills_after_game(skills, [1, 2] if is_right else [2, 1])
    (score.mu, score.sigma), (rating.mu, rating.sigma) = after
    rating.answers += 1
    rating.save()
    score.tried += 1
    score.right += is_right
    score.streak = score.streak + 1 if is_right else 0
    score.best_streak = max(score.best_streak, score.streak)
    score.save()
