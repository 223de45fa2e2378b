"""``python -m tests.soak [MINUTES] [SEED]``: inject faults for some minutes, then run the attacks.

Exits with 1 if either run found an error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests.faults import soak
from tests.hostile import attack_load


def main(arguments: Sequence[str]) -> int:
    """Run the faults, then the attacks, also if the faults have shown an error; return the exit
    code."""
    minutes, seed = (*arguments, *("5", "")[len(arguments) :])
    chosen = ["--seed", seed] if seed else []
    return max(soak.main(["--minutes", minutes, *chosen]), attack_load.main([]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
