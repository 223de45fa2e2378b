"""Reviews of finished games: figures for each discard, stored with the game.

`game_review` computes them and is pure. `review_requests` queues reviews, `computing` computes the
queued ones in processes of the worker. The pages are in `lobby.pages.review_views`.
Running tables are not known here.
"""
