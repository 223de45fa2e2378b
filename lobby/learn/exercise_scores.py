"""The scores of accounts in exercises: which question is next, and what an answer changes.

The questions of an account follow each other in a fixed order, so that nobody can skip hard ones.
An answer counts only for the question that is next, and once.
"""

from __future__ import annotations

from django.db.models import F
from django.utils.crypto import salted_hmac

from lobby.models import ExerciseScore, Person


def score_of(person: Person, kind: str, level: str) -> ExerciseScore:
    """Return the account's score. Before the first answer, return a new score that is not saved."""
    found = ExerciseScore.objects.filter(person=person, kind=kind, level=level).first()
    return found or ExerciseScore(person=person, kind=kind, level=level)


def scores_of(person: Person) -> dict[tuple[str, str], ExerciseScore]:
    """Return all scores of the account by kind and level."""
    scores = ExerciseScore.objects.filter(person=person)
    return {(score.kind, score.level): score for score in scores}


def next_seed(score: ExerciseScore) -> str:
    """Return the seed of the next question."""
    what = f"{score.person_id}:{score.kind}:{score.level}:{score.tried}"
    return salted_hmac("lobby.learn.exercises", what).hexdigest()[:16]


def count_answer(score: ExerciseScore, seed: str, *, is_right: bool) -> bool:
    """Count the answer to the question of that seed. Return False if it is not the next question,
    or if it has been answered meanwhile."""
    if seed != next_seed(score):
        return False
    row, _made = ExerciseScore.objects.get_or_create(
        person_id=score.person_id, kind=score.kind, level=score.level
    )
    streak = score.streak + 1 if is_right else 0
    changed = ExerciseScore.objects.filter(pk=row.pk, tried=score.tried).update(
        tried=F("tried") + 1,
        right=F("right") + int(is_right),  # PostgreSQL cannot add a boolean
        streak=streak,
        best_streak=max(score.best_streak, streak),
    )
    return bool(changed)
