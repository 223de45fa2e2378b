"""Pages load the bundles that were made from the very sources that are here, and no others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mahjong_site import bundles
from tools import bundle

MAIN = "js/main.js"


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty place for bundles."""
    monkeypatch.setattr(bundles, "BUILD", tmp_path / "static")
    monkeypatch.setattr(bundle, "BUILD", tmp_path / "static")
    bundles.forget()
    yield tmp_path / "static"
    bundles.forget()


def write_manifest(build: Path, fingerprint: str) -> None:
    build.mkdir()
    manifest = {
        "fingerprint": fingerprint,
        "bundles": {MAIN: "js/bundle/main-AAAAAAAA.js"},
        "imports": {
            "js/bundle/main-AAAAAAAA.js": ["js/bundle/chunk-BBBBBBBB.js"],
            "js/bundle/chunk-BBBBBBBB.js": ["js/bundle/chunk-CCCCCCCC.js"],
            "js/bundle/chunk-CCCCCCCC.js": [],
        },
    }
    (build / bundles.MANIFEST).write_text(json.dumps(manifest))


def test_bundle_of_these_sources_is_used(build: Path) -> None:
    write_manifest(build, bundles.fingerprint())
    assert bundles.bundle(MAIN) == "/static/js/bundle/main-AAAAAAAA.js"
    assert bundles.bundle("js/other.js") == "/static/js/other.js"


def test_bundle_and_all_that_it_imports_are_loaded_at_once(build: Path) -> None:
    write_manifest(build, bundles.fingerprint())
    assert [part.split("/")[-1] for part in bundles.preloads(MAIN).split('">')[:-1]] == [
        "main-AAAAAAAA.js",
        "chunk-BBBBBBBB.js",
        "chunk-CCCCCCCC.js",
    ]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"fingerprint": "other"}'])
def test_pages_load_the_sources_without_a_bundle_of_them(build: Path, text: str) -> None:
    if text:
        build.mkdir()
        (build / bundles.MANIFEST).write_text(text)
    assert bundles.bundle(MAIN) == "/static/js/main.js"
    assert bundles.preloads(MAIN) == '<link rel="modulepreload" href="/static/js/main.js">'


def test_esbuild_bundles_every_entry_with_all_it_imports(build: Path) -> None:
    try:
        bundle.bundle()
    except bundle.CannotBundle as error:
        pytest.skip(f"esbuild cannot be had here: {error}")
    for entry in bundles.ENTRIES:
        path = bundles.bundle(entry).removeprefix("/static/")
        assert path != entry
        assert "@import" not in (build / path).read_text()
    language = bundles.bundle("js/table/names/fr.js").removeprefix("/static/")
    assert "Connexion" in (build / language).read_text()


def test_package_of_esbuild_with_another_hash_is_refused() -> None:
    with pytest.raises(bundle.CannotBundle, match="npm is not the package that was expected"):
        bundle.unpacked(b"something else", "the hash of another", "npm")
