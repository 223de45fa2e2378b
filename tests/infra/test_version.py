"""All places that show the version of the site agree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from mahjong_site.redis_server import find_binary
from mahjong_site.version import VERSION
from tests.kit.commands import manage
from tests.kit.processes import environment


def test_project_and_changelog_name_the_version() -> None:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]
    assert project["version"] == VERSION
    changelog = (settings.BASE_DIR / "CHANGELOG.md").read_text()
    newest = re.search(r"^## (\S+)", changelog, re.MULTILINE)
    assert newest
    assert newest[1] == VERSION


@pytest.mark.parametrize("word", ["version", "--version"])
def test_manage_py_prints_both_versions(
    tmp_path_factory: pytest.TempPathFactory, word: str
) -> None:
    printed = _printed(word, environment(tmp_path_factory.mktemp("data")))
    assert printed[0] == f"Riichi mahjong site {VERSION}"
    assert printed[2] == f"Redis server: {find_binary()}"


def test_cluster_of_the_settings_file_is_named_without_its_password(tmp_path: Path) -> None:
    file = tmp_path / "mahjong.env"
    file.write_text("REDIS_URL=redis+cluster://:secret@one.example:7000,two.example:7000\n")
    env = environment(tmp_path, MAHJONG_ENV=str(file))
    env.pop("REDIS_URL", None)
    shown = _printed("version", env)[2]
    assert "cluster" in shown
    assert "one.example:7000" in shown
    assert "secret" not in shown


def _printed(word: str, env: dict[str, str]) -> list[str]:
    return manage(env, word).splitlines()


@pytest.mark.django_db
def test_page_footer_names_the_version() -> None:
    page = Client().get("/sign-in/")
    assert f"Version {VERSION}" in page.content.decode()
