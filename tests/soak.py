"""``python -m tests.soak [MINUTES] [SEED]``: the house under faults for so many minutes, then under
attacks. Ends by itself; the exit code is 1 if anything was found that should not be."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests.faults import soak
from tests.hostile import siege


def main(arguments: Sequence[str]) -> int:
    """Both, also after the first has found something."""
    minutes, seed = (*arguments, *("5", "")[len(arguments) :])
    chosen = ["--seed", seed] if seed else []
    return max(soak.main(["--minutes", minutes, *chosen]), siege.main([]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
