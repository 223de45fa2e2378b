"""Measures of bots: duplicate games in memory, and statistics of recorded games.

Owns duplicate games (each deal played from every seat) and their statistics, the check of the
danger model, and the fit of the networks. Must not know Django, Redis or running tables.
"""
