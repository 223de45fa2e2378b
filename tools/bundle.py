"""Bundles the client's modules and style sheets: ``python -m tools.bundle``.

The pages of a table and of a replay have some eighty modules each, the lobby has ten and as many
sheets. Over a slow network each costs a round trip, so esbuild writes them into a few files below
`build/`, which `mahjong_site.bundles` finds. esbuild is one program, fetched from the npm registry
once. Where that is not possible, pages load the modules themselves; `--required`, for an image,
makes that an error.
"""

from __future__ import annotations

import base64
import hashlib
import json
import platform
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from http.client import HTTPException
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from mahjong_site.bundles import BUILD, ENTRIES, MANIFEST, ROOT, STATIC, WHOLE, fingerprint
from tools import words
from tools.system import FETCHED

VERSION: Final = "0.28.2"
_REGISTRY: Final = "https://registry.npmjs.org/@esbuild"
_SHA512: Final = {
    "darwin-arm64": "n4KqkOQrraxHJcgjM1RvwbigfQKIKJVpM7xp+KsxiyUSrRdIXnt73VhrPAx0fV44"
    "hgfmIVKjxMN9J1t5jySVkw==",
    "darwin-x64": "uq6suIWYP37qzGddBKPw5QEQPi6HiLGsO7UmkpfyaYNQ3D+rN6w6WfwH+nuqcGXW"
    "vawGwxOEroO4YGnFh95azw==",
    "linux-arm64": "pW4AC0P3it8c7do9MVM4p51FzHzdM/TZrerurgRcHJ2WTa1VQ1CIq18xncfpBJw4"
    "ojkiZZrKW2yIBWBP92j6Ug==",
    "linux-x64": "4xTZr1FUmSoQW4XIWmit3tzQrUTZM+N3P0XV8xROKYF50XfI7xeO90+1bZvNwxIu"
    "fQ9hDQVRJH5YhgPVF8A/HQ==",
}
"""SHA-512 of the package for each platform, as the registry publishes it."""
_WITHIN_S: Final = 60
_KEPT_S: Final = 7 * 24 * 60 * 60


class CannotBundle(Exception):
    """esbuild is not available here, or refuses the sources."""


def main(arguments: Sequence[str]) -> int:
    """Bundle if the sources have changed, after building the words that the bundles contain.
    Without bundles pages load the modules, and the exit status is 0 unless `--required` is
    given."""
    words.main()
    try:
        is_current = json.loads((BUILD / MANIFEST).read_text())["fingerprint"] == fingerprint()
    except (OSError, ValueError, KeyError):
        is_current = False
    if not is_current:
        try:
            bundle()
        except CannotBundle as error:
            if "--required" in arguments:
                print(f"The bundles cannot be made: {error}.", file=sys.stderr)
                return 1
            print(f"Pages load each script by itself, since {error}.", file=sys.stderr)
    return 0


def bundle() -> None:
    """Write the bundles of all entries. Raises CannotBundle."""
    program, before = _find_or_fetch_esbuild(), fingerprint()
    BUILD.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD.parent) as directory:
        made = Path(directory, "static").resolve()
        outputs: dict[str, dict[str, Any]] = {}
        for entries in ENTRIES:
            outputs |= _run_esbuild(program, entries, made)
        names = {path: Path(ROOT, path).resolve().relative_to(made).as_posix() for path in outputs}
        manifest = {
            "fingerprint": before,
            "bundles": {
                Path(ROOT, of["entryPoint"]).relative_to(STATIC).as_posix(): names[
                    # An entry that is in one file with others only imports that file.
                    path if of["inputs"] else of["imports"][0]["path"]
                ]
                for path, of in outputs.items()
                if "entryPoint" in of
            },
            "imports": {
                names[path]: [
                    names[imported["path"]]
                    for imported in of["imports"]
                    if imported["kind"] == "import-statement"
                ]
                for path, of in outputs.items()
            },
        }
        for path in names.values():
            (BUILD / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).replace(BUILD / path)
        (made / MANIFEST).write_text(json.dumps(manifest, indent=1))
        (made / MANIFEST).replace(BUILD / MANIFEST)
    _remove_old({MANIFEST, *names.values()})


def _remove_old(kept: set[str]) -> None:
    """Remove bundles of earlier sources after a week. Servers about to be replaced still need
    recent ones."""
    for path in BUILD.rglob("*.*"):
        is_old = path.stat().st_mtime < time.time() - _KEPT_S
        if is_old and path.relative_to(BUILD).as_posix() not in kept:
            path.unlink()


def _run_esbuild(program: Path, entries: Sequence[str], made: Path) -> dict[str, dict[str, Any]]:
    """Run esbuild and return the files that it has written, by path from the root."""
    with tempfile.NamedTemporaryFile(suffix=".json") as described:
        command = [
            *(str(program), *(str(STATIC / entry) for entry in entries)),
            *("--bundle", "--splitting", "--format=esm", "--minify", "--log-level=warning"),
            *("--target=es2022", "--charset=utf8", "--external:*.svg"),
            *(f"--outbase={STATIC}", f"--outdir={made}", f"--metafile={described.name}"),
            *("--entry-names=[ext]/bundle/[name]-[hash]", "--chunk-names=js/bundle/[name]-[hash]"),
            # As if every module imported these: what all of them share becomes one file, not many.
            *(f"--inject:{STATIC / entry}" for entry in entries if entry in WHOLE),
        ]
        done = subprocess.run(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise CannotBundle(f"esbuild ended with {done.returncode}: {done.stderr}")
        outputs: dict[str, dict[str, Any]] = json.loads(described.read())["outputs"]
        return outputs


def _find_or_fetch_esbuild() -> Path:
    """Return the program, and fetch it the first time. Raises CannotBundle."""
    program = FETCHED / f"esbuild-{VERSION}"
    if program.exists():
        return program
    system, machine = platform.system().lower(), platform.machine().lower()
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(machine, machine)
    wanted = _SHA512.get(f"{system}-{machine}")
    if wanted is None:
        raise CannotBundle(f"there is no esbuild for {system}-{machine}")
    address = f"{_REGISTRY}/{system}-{machine}/-/{system}-{machine}-{VERSION}.tgz"
    print(f"Fetching esbuild {VERSION} ...", file=sys.stderr, flush=True)
    try:
        with urlopen(address, timeout=_WITHIN_S) as answer:
            package: bytes = answer.read()
    except (OSError, HTTPException) as error:
        raise CannotBundle(f"{address} cannot be fetched: {error}") from error
    FETCHED.mkdir(parents=True, exist_ok=True)
    unfinished = program.with_suffix(".part")
    unfinished.write_bytes(unpack_program(package, wanted, address))
    unfinished.chmod(0o755)
    unfinished.rename(program)
    return program


def unpack_program(package: bytes, wanted: str, address: str) -> bytes:
    """Extract the program from a package after checking its SHA-512 (base64). Raises
    CannotBundle."""
    if base64.b64encode(hashlib.sha512(package).digest()).decode() != wanted:
        raise CannotBundle(f"{address} is not the package that was expected")
    with tarfile.open(fileobj=BytesIO(package)) as files:
        found = files.extractfile("package/bin/esbuild")
        assert found is not None
        return found.read()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
