"""Queues for a game, the pairing of players, and each player's location.

Knows nothing of pregame tables and pages.
"""
