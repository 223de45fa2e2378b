"""Reviews of finished games: figures for each discard, stored with the game.

`game_review` computes them and is pure. `requests` queues reviews, `computing` computes the queued
ones in processes of the worker, `views` answers pages. Running tables are not known here.
"""
