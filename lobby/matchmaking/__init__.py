"""Queues for a game, how people are paired, and where a player is at present."""
