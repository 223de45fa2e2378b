"""All places that show the version of the site agree."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest
from django.conf import settings
from django.test import Client

from mahjong_site.redis_server import find_binary
from mahjong_site.version import VERSION
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
    data = tmp_path_factory.mktemp("data")
    printed = subprocess.run(
        [sys.executable, "manage.py", word],
        cwd=settings.BASE_DIR,
        env=environment(data),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert printed[0] == f"Riichi mahjong site {VERSION}"
    assert printed[2] == f"Redis server: {find_binary()}"


@pytest.mark.django_db
def test_page_footer_names_the_version() -> None:
    page = Client().get("/sign-in/")
    assert f"Version {VERSION}" in page.content.decode()
