"""The Django app of the game: rules, running tables, sockets, results."""
