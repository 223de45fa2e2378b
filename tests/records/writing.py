"""Writes hands in each format without the mark of this site."""

from __future__ import annotations

from game.engine.rules import TENHOU, RuleSet
from game.records import writing_mjai, writing_mjlog, writing_tenhou6
from game.records.own import OwnGame
from tests.records.own_games import Hands


def mjlog(hands: Hands, rules: RuleSet) -> str:
    return writing_mjlog.write_mjlog(_game(hands, rules))


def tenhou6(hands: Hands, rules: RuleSet) -> str:
    return writing_tenhou6.write_tenhou6(_game(hands, rules))


def mjai(hands: Hands, rules: RuleSet = TENHOU) -> str:
    return writing_mjai.write_mjai(_game(hands, rules))


def _game(hands: Hands, rules: RuleSet) -> OwnGame:
    played = tuple([tuple(hand) for hand in hands])
    return OwnGame(("A", "B", "C", "D")[: rules.players], rules, played, is_marked=False)
