"""`manage.py bots compare`: duplicate games and what they report."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from game.bot_measures.comparison import Match, Result, play_deal


def compare(*words: str) -> str:
    out = StringIO()
    call_command("bots", "compare", *words, stdout=out)
    return out.getvalue()


def _without_times(report: str) -> str:
    return re.sub(r"^CPU.*$", "", report, flags=re.MULTILINE)


def test_the_seed_determines_the_report_whatever_the_processes() -> None:
    words = ("tsumogiri", "sensible", "--games", "8", "--seed", "5")
    one = _without_times(compare(*words))
    assert "2 deals, 8 games, seed 5" in one
    assert _without_times(compare(*words, "--processes", "2")) == one


def test_four_equal_bots_have_the_mean_rank_of_equals_in_every_deal() -> None:
    # Without choices at random the four games of a deal are the same game.
    result = play_deal(Match("tsumogiri", "tsumogiri"), 0)
    assert result.ranks == [2.5]
    assert result.lone.tally.places == [1, 1, 1, 1]
    assert result.others.tally.places == [3, 3, 3, 3]


def test_a_bot_that_only_discards_what_it_draws_comes_last() -> None:
    total = Result()
    for deal in range(3):
        total.merge(play_deal(Match("tsumogiri", "sensible"), deal))
    assert total.lone.tally.mean_rank > 3
    assert total.others.tally.win_rate > total.lone.tally.win_rate
    assert len(total.lone.cpu_ns) > 100


def test_unknown_bots_and_revisions_are_named() -> None:
    with pytest.raises(CommandError, match="oracle"):
        compare("oracle", "sensible")
    with pytest.raises(CommandError, match="nowhere"):
        compare("sensible", "sensible@nowhere")
