"""Matches between bots: whole games in memory, and what they say about strength.

Owns duplicate games (each deal played from all four seats) and their statistics. Must not know
Django, Redis or running tables.
"""
