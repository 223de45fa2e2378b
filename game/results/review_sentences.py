"""The sentence that says what a choice gains and what it gives up, for pages without scripts.

The codes are those of `game.reviews.reasons`, the words those of the replay page
(`static/js/replay/review_answer.js` makes the same sentence there).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from game.results.game_text import format_number, format_percent
from game.results.review_texts import review_texts
from game.reviews.figures import Choice


def sentence_of(
    best: Choice,
    made: Choice,
    gained: Sequence[str],
    given_up: Sequence[str],
    share: float | None = None,
) -> str:
    """Return the sentence on `made` against `best`. `share` is the probability that strong players
    choose `made`; None where it is not known."""
    texts = review_texts()
    values = {**_figures(best, "", texts), **_figures(made, "made_", texts)}
    parts = {
        name: texts["comma"].join(texts[f"{kind}_{code}"].format(**values) for code in codes)
        for name, kind, codes in (("gained", "more", gained), ("given_up", "less", given_up))
    }
    if gained and given_up:
        return texts["gained_for"].format(**parts)
    if given_up:
        return texts["only_given_up"].format(**parts)
    if gained:
        return texts["only_gained"].format(**parts)
    if share is None:
        return texts["no_reason"]
    return texts["no_reason_share"].format(share=format_percent(Fraction(round(100 * share)), 0))


def _figures(choice: Choice, prefix: str, texts: dict[str, str]) -> dict[str, str]:
    speed = ""
    if choice.shanten is not None and choice.shanten >= 0:
        name = "speed" if choice.shanten else "speed_tenpai"
        speed = texts[name].format(shanten=choice.shanten, unseen=choice.unseen)
    figures = {
        "value": format_number(choice.value),
        "cost": format_number(choice.cost),
        "speed": speed,
        "unseen": str(choice.unseen),
        "danger": format_percent(Fraction(round(1_000 * (choice.danger or 0.0)), 10)),
        "declared": format_number(choice.riichi.declared if choice.riichi else 0),
    }
    return {f"{prefix}{name}": text for name, text in figures.items()}
