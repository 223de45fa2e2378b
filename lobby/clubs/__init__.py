"""Clubs: their members, roles, pages' texts, games, and who is in their lobby.

Owns who may see a club and who may change it. Must not know pages and sockets.
"""
