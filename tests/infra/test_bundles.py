"""Pages load only bundles that were made from the present sources."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.template import engines

from mahjong_site import bundles
from mahjong_site.content_policy import ContentPolicy
from tools import bundle

MAIN = "js/main.js"


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield an empty directory for bundles."""
    monkeypatch.setattr(bundles, "BUILD", tmp_path / "static")
    monkeypatch.setattr(bundle, "BUILD", tmp_path / "static")
    bundles.forget_bundles()
    yield tmp_path / "static"
    bundles.forget_bundles()


def test_image_is_not_built_without_bundles(build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot() -> None:
        raise bundle.CannotBundle("there is no network")

    monkeypatch.setattr(bundle, "bundle", cannot)
    assert bundle.main([]) == 0
    assert bundle.main(["--required"]) == 1


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


def styled_page() -> tuple[str, list[str]]:
    """Return a page with an inline style sheet, and the parts of its content security policy."""
    request = HttpRequest()
    request.META["HTTP_HOST"] = "testserver"
    source = "{% load bundles %}{% inline_style 'css/table_frame.css' %}"

    def respond(request: HttpRequest) -> HttpResponse:
        return HttpResponse(engines["django"].from_string(source).render({}, request))

    response = ContentPolicy(respond)(request)
    assert isinstance(response, HttpResponse)
    return response.content.decode(), response.headers["Content-Security-Policy"].split("; ")


def test_policy_allows_only_the_inline_frame_style(build: Path) -> None:
    text = ".table{position:fixed}"
    (build / "css").mkdir(parents=True)
    (build / "css/frame-AAAAAAAA.css").write_text(f"{text}\n")
    manifest = {
        "fingerprint": bundles.fingerprint(),
        "bundles": {"css/table_frame.css": "css/frame-AAAAAAAA.css"},
        "imports": {},
    }
    (build / bundles.MANIFEST).write_text(json.dumps(manifest))
    page, policy = styled_page()
    assert page == f"<style>{text}</style>"
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    assert f"style-src 'self' 'sha256-{digest}'" in policy


def test_page_links_to_the_frame_without_bundles(build: Path) -> None:
    page, policy = styled_page()
    assert page == '<link rel="stylesheet" href="/static/css/table_frame.css">'
    assert "style-src 'self'" in policy


def test_frame_needs_no_other_file(build: Path) -> None:
    try:
        bundle.bundle()
    except bundle.CannotBundle as error:
        pytest.skip(f"esbuild cannot be had here: {error}")
    page, _ = styled_page()
    assert "url(" not in page
    assert "@import" not in page
    assert len(gzip.compress(page.encode())) < 3_000


def test_esbuild_bundles_every_entry_with_all_it_imports(build: Path) -> None:
    try:
        bundle.bundle()
    except bundle.CannotBundle as error:
        pytest.skip(f"esbuild cannot be had here: {error}")
    for entry in chain.from_iterable(bundles.ENTRIES):
        path = bundles.bundle(entry).removeprefix("/static/")
        assert path != entry
        assert "@import" not in (build / path).read_text()
    language = bundles.bundle("js/table/names/fr.js").removeprefix("/static/")
    assert "Connexion" in (build / language).read_text()
    for script in bundles.WHOLE:
        assert bundles.preloads(script).count("href") == 1, "all that it imports is one file"


def test_package_of_esbuild_with_another_hash_is_refused() -> None:
    with pytest.raises(bundle.CannotBundle, match="npm is not the package that was expected"):
        bundle.unpack_program(b"something else", "the hash of another", "npm")
