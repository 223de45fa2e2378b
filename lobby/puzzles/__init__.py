"""Puzzles for visitors: the ratings of people and puzzles, and the pages.

What a puzzle is and how it is made stands in `game.puzzles`.
"""
