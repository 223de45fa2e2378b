"""All commands read the settings file, and no command creates another site."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from mahjong_site.settings_file import SettingsFileError, load, parse_settings
from tests.kit.processes import environment

ROOT = Path(settings.BASE_DIR)


def run(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """Run `manage.py` as a program, as an operator does."""
    return subprocess.run(
        [ROOT / "manage.py", *words],
        cwd="/",
        env=env,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def site_file(tmp_path: Path) -> tuple[Path, Path]:
    """Write a settings file; return its path and the data directory that it names."""
    data = tmp_path / "site data"
    file = tmp_path / "mahjong.env"
    file.write_text(f"# a comment\n\nDATA_DIR={data}\nALLOWED_HOSTS='a.example,b.example'\n")
    return file, data


def bare_environment(file: Path | str) -> dict[str, str]:
    """Return the environment of a login shell, in which the only setting is the name of the
    file."""
    env = environment(Path("/"), MAHJONG_ENV=str(file))
    del env["DATA_DIR"]
    del env["DJANGO_SETTINGS_MODULE"]
    # The interpreter of these tests is the first on PATH.
    return env | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


CREATE = ("createsuperuser", "--no-input", "--username=anna", "--email=anna@example.org")
SHOW = """
from django.conf import settings
from django.contrib.auth.models import User
print(User.objects.get().username, ",".join(settings.ALLOWED_HOSTS))
"""


def test_only_migrate_makes_the_database_and_all_commands_use_it(tmp_path: Path) -> None:
    file, data = site_file(tmp_path)
    env = bare_environment(file) | {"DJANGO_SUPERUSER_PASSWORD": "a good long password"}
    for words in (("tables", "list"), ("changepassword", "anna"), ("showmigrations",), CREATE):
        refused = run(env, *words)
        assert not (data / "db.sqlite3").exists(), words
    assert refused.returncode == 1
    assert refused.stderr == (
        "The database cannot be used: unable to open database file. If it is new or older than the "
        "program: manage.py migrate\n"
    )
    migrated = run(env, "migrate", "--verbosity=0")
    assert (migrated.returncode, migrated.stderr) == (0, "")
    assert stat.S_IMODE((data / "db.sqlite3").stat().st_mode) == 0o600
    made = run(env, *CREATE)
    assert made.returncode == 0, made.stderr
    assert {path.name for path in data.iterdir()} >= {"db.sqlite3", "secret_key"}
    shown = run(env, "shell", "--no-imports", "-c", SHOW)
    assert shown.stdout.split() == ["anna", "a.example,b.example"]


def test_environment_overrides_the_file(tmp_path: Path) -> None:
    file, data = site_file(tmp_path)
    other = tmp_path / "other"
    done = run(bare_environment(file) | {"DATA_DIR": str(other)}, "check")
    assert done.returncode == 0, done.stderr
    assert other.exists()
    assert not data.exists()


def test_missing_settings_create_no_database(tmp_path: Path) -> None:
    """The file cannot be read because it is a directory: root may read every file."""
    file = tmp_path / "mahjong.env"
    file.mkdir()
    stray = set((ROOT / "var").rglob("*"))
    for name in ("createsuperuser", "migrate", "worker", "run"):
        done = run(bare_environment(file), name)
        assert done.returncode == 1
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1, done.stderr
        assert done.stderr.startswith(f"Cannot read the settings file {file}")
    assert set((ROOT / "var").rglob("*")) == stray


def test_unreachable_database_is_no_reason_to_migrate(tmp_path: Path) -> None:
    """A wrong password is reported in the same way: the connection fails."""
    url = "postgres://mahjong:secret@127.0.0.1:1/mahjong"
    env = environment(tmp_path, DATABASE_URL=url, MAHJONG_ENV="")
    for words in (("migrate",), ("changepassword", "anna")):
        done = run(env, *words)
        assert done.returncode == 1
        assert done.stderr.startswith("The database cannot be used: connection ")
        assert done.stderr.count("\n") == 1, done.stderr
        assert "manage.py migrate" not in done.stderr


def test_systemd_needs_no_readable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """systemd reads the file as root and passes its settings in the environment."""
    file = tmp_path / "mahjong.env"
    file.mkdir()
    monkeypatch.setattr("mahjong_site.settings_file.DEFAULT_PATH", file)
    given = {"DATA_DIR": str(tmp_path)}
    load(given)
    assert given == {"DATA_DIR": str(tmp_path)}
    with pytest.raises(SettingsFileError, match="Cannot read the settings file"):
        load({})


def test_default_settings_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, data = site_file(tmp_path)
    monkeypatch.setattr("mahjong_site.settings_file.DEFAULT_PATH", file)
    given: dict[str, str] = {}
    load(given)
    assert given == {"DATA_DIR": str(data), "ALLOWED_HOSTS": "a.example,b.example"}
    for environ in ({"MAHJONG_ENV": ""}, {"MAHJONG_ENV": str(tmp_path / "none")}):
        before = dict(environ)
        if environ["MAHJONG_ENV"]:
            with pytest.raises(SettingsFileError, match="There is no settings file"):
                load(environ)
        else:
            load(environ)
        assert environ == before
    monkeypatch.setattr("mahjong_site.settings_file.DEFAULT_PATH", tmp_path / "none")
    empty: dict[str, str] = {}
    load(empty)
    assert empty == {}


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("NAME=value", "value"),
        ("  NAME=a value # and no comment  ", "a value # and no comment"),
        ('NAME="a value"', "a value"),
        ("NAME='$HOME'", "$HOME"),
        ("NAME=", ""),
        ("NAME=a=b", "a=b"),
    ],
)
def test_lines_are_read_as_by_systemd(line: str, value: str) -> None:
    assert parse_settings(f"# comment\n; comment\n\n{line}\n") == {"NAME": value}


@pytest.mark.parametrize("line", ["NAME", "export NAME=1", "1NAME=1", "=1", 'NAME="a', "NAME=a\\"])
def test_unreadable_line_is_named(line: str) -> None:
    with pytest.raises(SettingsFileError, match="line 2"):
        parse_settings(f"GOOD=1\n{line}\n")


def test_unmigrated_database_is_reported_in_one_line(tmp_path: Path) -> None:
    env = bare_environment("") | {"DATA_DIR": str(tmp_path)}
    done = run(env | {"DJANGO_SUPERUSER_PASSWORD": "a good long password"}, *CREATE)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1, done.stderr
    assert "manage.py migrate" in done.stderr
