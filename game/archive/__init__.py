"""Finished games: their log in the database, who sat at which seat and when, and when hands may be
shown.

Stands above running tables and results, and writes both in one transaction. Must not know pages and
sockets.
"""
