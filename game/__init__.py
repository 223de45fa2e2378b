"""The Django app of the game: rules, running tables, sockets, results."""

import os

# NumPy reads this when it is loaded. The matrices of the bots are so small that more threads only
# take time from the tables, and a process with threads cannot be forked safely.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
