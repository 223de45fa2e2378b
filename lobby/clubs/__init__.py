"""Clubs: their members, roles, texts and games, and who is present in their lobby.

Owns the rules about who may see and change a club. Must not know events.
"""
