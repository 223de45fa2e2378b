"""Finished games: how they are recorded, shown, counted and rated.

Owns the history of games, statistics, ratings, ladders and charts. Pure functions work on events
and rows; only the views know requests. Running tables are not known here.
"""
