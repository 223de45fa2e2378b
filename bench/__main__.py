"""``python -m bench [--quick] [PART...]``: prints the figures of the named parts, or of all.

The parts are engine, records, load, client and review. `bench/README.md` lists the other programs.
"""

from __future__ import annotations

import argparse
import os
import platform

from bench import client, engine, load, records, review

PARTS = {
    "engine": engine.run,
    "records": records.run,
    "load": load.run,
    "client": client.run,
    "review": review.run,
}


def main() -> None:
    """Run the parts that the command line names, by default all."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="short runs, to see that all parts work"
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"no such part: {unknown.pop()}; there are {', '.join(PARTS)}")
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors")
    for name, run in PARTS.items():
        if not arguments.parts or name in arguments.parts:
            run(quick=arguments.quick)


if __name__ == "__main__":
    main()
