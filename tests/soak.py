"""``python -m tests.soak [MINUTES] [SEED]``: inject faults for some minutes, then run the attacks.

Ends by itself. Exits with 1 if either found an error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests.faults import soak
from tests.hostile import attack_load


def main(arguments: Sequence[str]) -> int:
    """Run both, the second also after the first has found an error; return the exit code."""
    minutes, seed = (*arguments, *("5", "")[len(arguments) :])
    chosen = ["--seed", seed] if seed else []
    return max(soak.main(["--minutes", minutes, *chosen]), attack_load.main([]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
