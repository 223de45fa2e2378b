"""Finished games: history, statistics, ratings, ladders and charts.

`recording` writes to the database when the archive saves a game, and `totals` changes the sums of
figures. `ratings` queues the game then, and rates it later for the worker; ratings change there and
nowhere else. `history` and `statistics` read for `views`. `counts`, `hand_figures`, `play_figures`,
`ladders`, `charts` and `game_text` are pure. Running tables, sockets and the lobby are not known
here.
"""
