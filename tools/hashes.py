"""Writes the hashes of the required packages: ``python -m tools.hashes`` (``make hashes``).

pip installs from the `.lock` files, which name each package of a readable `.txt` file with the
SHA-256 of all files of that version, so that one file serves every Python and every system. pip
refuses a package that differs. uv asks the registry for the hashes; it is fetched the first time.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from tools.system import FETCHED

ROOT: Final = Path(__file__).parents[1]
LOCKS: Final = {"requirements-pip": "", "requirements": "", "requirements-dev": "requirements"}
"""The names of the files, each with the one that it begins with."""
_UV: Final = "0.13.9"
_ENTRY: Final = re.compile(r"^(?=[a-z0-9])", re.MULTILINE)
_HEAD: Final = "# Written by `make hashes` from {name}.txt: change that file.\n"


def main() -> int:
    """Write all files anew. Return the exit status of the program."""
    uv = _fetch_uv()
    for name, base in LOCKS.items():
        found = _compile_lock(uv, name)
        if base:
            found -= _compile_lock(uv, base)
        text = _HEAD.format(name=name) + (f"-r {base}.lock\n" if base else "")
        (ROOT / f"{name}.lock").write_text(text + "".join(sorted(found)))
    return 0


def _compile_lock(uv: Path, name: str) -> set[str]:
    """Return an entry of several lines for each package of the file. `--no-deps`: the file is
    complete, which `tests/infra/test_bootstrap.py` checks."""
    options = ("--generate-hashes", "--universal", "--no-deps", "--only-binary=:all:", "--quiet")
    style = ("--no-annotate", "--no-header", "--no-config", "--system-certs")
    command = [str(uv), "pip", "compile", f"{name}.txt", *options, *style, "--python-version=3.11"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return set(filter(None, _ENTRY.split(done.stdout)))


def _fetch_uv() -> Path:
    directory = FETCHED / f"uv-{_UV}"
    if not directory.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--only-binary=:all:"]
        subprocess.run([*pip, "--target", directory, f"uv=={_UV}"], check=True)
    return directory / "bin" / "uv"


if __name__ == "__main__":
    sys.exit(main())
