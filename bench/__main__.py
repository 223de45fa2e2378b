"""``python -m bench [--quick] [PART...]``: prints the figures of the named parts, or of all.

The parts are engine, switches, records, redis, age, load, client, replicas and review.
"""

from __future__ import annotations

import argparse
import os
import platform

from bench import age, client, commits, engine, load, records, replicas, review, switches

PARTS = {
    "engine": engine.run,
    "switches": switches.run,
    "records": records.run,
    "redis": commits.run,
    "age": age.run,
    "load": load.run,
    "client": client.run,
    "replicas": replicas.run,
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
