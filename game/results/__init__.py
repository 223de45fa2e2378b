"""Finished games: history, statistics, ratings, ladders and charts.

When the archive saves a game, `recording` writes its players, `totals` changes the sums of figures,
and `ratings` queues the game. A worker rates it later through `ratings`, the only module that
changes ratings. `history` and `statistics` read for `views`. `counts`, `hand_figures`,
`play_figures`, `ladders`, `charts` and `game_text` are pure. Must not know running tables, sockets
and the lobby.
"""
