"""Queues for a game, the pairing of players, and each player's location.

Must not know pregame tables and pages.
"""
