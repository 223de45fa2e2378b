"""Reviews of finished games: figures for each discard, stored with the game.

`game_review` computes them and is pure. `storage` queues and keeps reviews, `computing` computes
the queued ones in processes of the worker. A reviewer is an outside program that the operator names
in the setting `REVIEWERS`; a column of the review says what it would do at each decision.
`reviewers` asks it, `reviewer_columns` queues and stores its columns. The pages are in
`lobby.replays.review_views`. Must not know running tables.
"""
