"""Finished games: history, statistics, ratings, ladders and charts.

`recording` and `ratings` write to the database when the archive saves a game; ratings change in
`ratings` and nowhere else. `history` and `statistics` read for `views`. `counts`, `ladders`,
`charts` and `game_text` are pure. Running tables, sockets and the lobby are not known here.
"""
