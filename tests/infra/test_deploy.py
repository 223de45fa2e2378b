"""The files in deploy/ fit the site: settings, units, containers and nginx."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands, load_command_class
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from mahjong_site import health
from tests.infra.nginx import DEPLOY, NEEDS_NGINX, Nginx, two_machines
from tests.kit import processes
from tests.kit.commands import manage
from tests.kit.processes import Daphne, Site, wait_until
from tests.web.short_forms import with_version
from tests.web.site import RunningSite, serve
from tests.web.tables import open_table

ROOT = Path(settings.BASE_DIR)
UNITS = sorted((DEPLOY / "systemd").iterdir())
READERS = {
    "_read_flag",
    "_read_words",
    "_read_factor",
    "_read_count",
    "_read_choice",
    "_read_origins",
    "_read_networks",
}


def settings_read() -> set[str]:
    """Return the variables that the settings read."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / "mahjong_site/settings.py").read_text())):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = ast.unparse(node.func)
            if name in READERS or name == "os.environ.get":
                found.add(str(node.args[0].value))
    return found


def environment_file_names() -> list[str]:
    lines = (DEPLOY / "mahjong.env").read_text().splitlines()
    return [found[1] for line in lines if (found := re.match(r"#?([A-Z_]+)=", line))]


def test_the_environment_file_has_every_setting_once() -> None:
    names = environment_file_names()
    assert len(names) == len(set(names))
    assert set(names) == settings_read() == set(processes._SETTINGS)


def test_the_table_of_settings_has_every_setting_once() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    section = page.partition("\n## Settings\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    names = re.findall(r"`([A-Z_]+)`", " ".join(cells))
    assert len(names) == len(set(names))
    assert set(names) == settings_read()


def test_environment_file_is_accepted_by_the_settings(tmp_path: Path) -> None:
    lines = (DEPLOY / "mahjong.env").read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if re.match("[A-Z]", line))
    env = processes.environment(tmp_path, **given | {"DATA_DIR": str(tmp_path)})
    manage(env, "check", "--deploy", "--fail-level=ERROR")


def test_empty_settings_are_as_unset_ones(tmp_path: Path) -> None:
    empty = dict.fromkeys(settings_read() - {"DATA_DIR"}, "")
    done = subprocess.run(
        [sys.executable, "-c", "import django; django.setup()"],
        cwd=ROOT,
        env=processes.environment(tmp_path, **empty),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# systemd


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_unit_is_sandboxed_and_starts_an_existing_command(unit: Path) -> None:
    if unit.suffix == ".target":
        return
    text = unit.read_text()
    for line in ("User=mahjong", "NoNewPrivileges=yes", "ProtectSystem=strict", "UMask=0077"):
        assert f"\n{line}\n" in text
    (line,) = re.findall("^ExecStart=(.*)", text, re.MULTILINE)
    python, first, name, *words = line.replace("%i", "1").split()
    assert python == "/srv/mahjong/.venv/bin/python"
    if first == "-m":
        command = [sys.executable, first, name, *words, "--help"]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    else:
        known = load_command_class(get_commands()[name], name)
        assert (ROOT / first).exists()
        # An unknown argument raises CommandError.
        known.create_parser(first, name).parse_args(words)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text().replace("/srv/mahjong/.venv/bin/python", sys.executable)
        text = re.sub("^(User|Group)=.*", r"\1=root", text, flags=re.MULTILINE)
        (tmp_path / unit.name.replace("@.", "@1.")).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


# Containers


def read_compose_file() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text()))


def test_containers_get_only_known_settings() -> None:
    services = read_compose_file()["services"]
    own = [service for service in services.values() if service["image"] == "mahjong"]
    assert len(own) == 4
    for line in own:
        assert set(line["environment"]) <= settings_read()
        assert line["env_file"] == ["mahjong.env"]
        assert line["cap_drop"] == ["ALL"]
        assert line["read_only"] is True
        assert str(Path(line["environment"]["DATA_DIR"]).parent) in line["tmpfs"]


def test_secrets_are_given_to_the_containers_that_need_them() -> None:
    given = {
        name: set(re.findall(r"\$\{(\w*(?:KEY|PASSWORD)\w*)", str(service)))
        for name, service in read_compose_file()["services"].items()
    }
    site = {"SECRET_KEY", "SECRET_KEY_FALLBACKS", "POSTGRES_PASSWORD"}
    database = {"POSTGRES_PASSWORD"}
    assert given == {
        "tables": site,
        "pages": site,
        "worker": site,
        "migrate": database,
        "database": database,
        "redis": set(),
        "proxy": set(),
    }


def test_base_of_the_image_can_be_chosen() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    (base,) = (line.removeprefix("ARG BASE=") for line in lines if line.startswith("ARG BASE="))
    assert "FROM ${BASE}" in lines
    build = read_compose_file()["services"]["migrate"]["build"]
    assert build["args"]["BASE"] == f"${{BASE:-{base}}}"


def test_only_the_proxy_publishes_ports() -> None:
    found = read_compose_file()
    services = found["services"]
    for name, service in services.items():
        assert set(service.get("depends_on", {})) <= set(services)
        assert set(service["networks"]) <= set(found["networks"])
        assert ("ports" in service) == (name == "proxy")
    redis = services["redis"]["command"]
    assert redis[redis.index("--maxmemory-policy") + 1] == "noeviction"
    assert redis[redis.index("--appendonly") + 1] == "yes"


def test_image_contains_the_site_and_runs_unprivileged() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    copied = {name for line in lines if line.startswith("COPY") for name in line.split()[1:-1]}
    apps = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "bench"}
    others = {
        "static",
        "templates",
        "locale",
        "manage.py",
        "requirements.lock",
        "LICENSE",
        "NOTICE",
    }
    assert apps | others == copied
    assert all((ROOT / name).exists() for name in copied)
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert copied == {line[1:] for line in ignored if line.startswith("!")}
    assert lines.index("USER mahjong") < next(
        number for number, line in enumerate(lines) if line.startswith("CMD")
    )


def test_container_checks_its_own_health(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.env["ALLOWED_HOSTS"] = "mahjong.example.org"
    monkeypatch.setenv("ALLOWED_HOSTS", "mahjong.example.org")
    server = Daphne(site.env)
    server._child.start()
    try:
        wait_until(lambda: health.main([str(server.port)]) == 0, within_s=60, what="it answers")
    finally:
        server.kill()
    assert health.main([str(server.port)]) == 1


# nginx


def ports_of(running_site: RunningSite) -> list[int]:
    return [daphne.port for daphne in running_site.daphnes]


@NEEDS_NGINX
async def test_play_behind_nginx_survives_a_restart(site: Site, tmp_path: Path) -> None:
    site.env |= {"HTTPS": "1", "ALLOWED_HOSTS": "localhost,127.0.0.1"}
    running_site = serve(site, daphnes=2, workers=1)
    (anna,) = running_site.sign_in("Anna")
    table_id = await open_table(running_site.redis.url, [anna])
    nginx = Nginx(tmp_path, ports_of(running_site))
    tested = nginx.test()
    assert tested.returncode == 0, tested.stderr
    await asyncio.to_thread(nginx.start)
    try:
        assert await asyncio.to_thread(nginx.get, "/") == 200
        assert await asyncio.to_thread(nginx.get, "/metrics") == 404
        async with connect(
            with_version(f"wss://localhost:{nginx.port}/ws/table/{table_id}/"),
            ssl=nginx.trust,
            origin=Origin(f"https://localhost:{nginx.port}"),
            additional_headers={"Cookie": anna.cookie},
            proxy=None,
        ) as socket:
            await socket.send('{"t":"hello","seq":0}')
            sync = json.loads(await socket.recv())
            assert (sync["t"], sync["you"]) == ("sync", 0)
            for daphne in running_site.daphnes:
                ending = asyncio.create_task(asyncio.to_thread(daphne.stop))
                seen = [await asyncio.to_thread(nginx.get, "/healthz") for _ in range(20)]
                await ending
                await asyncio.to_thread(daphne.start)
                assert seen == [200] * 20
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await socket.recv()
            assert socket.close_code == 4512
    finally:
        nginx.stop()


def socket_of(nginx: Nginx, table_id: str, cookie: str, **headers: str) -> connect:
    """Connect to a table. nginx hashes the address without its query, so that each table comes to
    one web server."""
    return connect(
        with_version(f"wss://localhost:{nginx.port}/ws/table/{table_id}/"),
        ssl=nginx.trust,
        origin=Origin(f"https://localhost:{nginx.port}"),
        additional_headers={"Cookie": cookie, **headers},
        proxy=None,
    )


@NEEDS_NGINX
@pytest.mark.parametrize("upstreams", ["", two_machines()], ids=["one", "two"])
async def test_nginx_tells_pages_and_sockets_apart(
    site: Site, tmp_path: Path, upstreams: str
) -> None:
    """Table servers have no pages, and page servers no sockets."""
    site.env |= {"HTTPS": "1", "ALLOWED_HOSTS": "localhost,127.0.0.1"}
    tables, pages = site.start_daphne("tables"), site.start_daphne("pages")
    site.start_worker()
    (anna,) = RunningSite(site, [tables], []).sign_in("Anna")
    table_id = await open_table(site.redis.url, [anna])
    nginx = Nginx(tmp_path, [tables.port], upstreams, page_ports=[pages.port])
    await asyncio.to_thread(nginx.start)
    try:
        assert await asyncio.to_thread(nginx.get, "/learn/") == 200
        assert await asyncio.to_thread(nginx.get, f"/table/{table_id}/") == 200
        async with socket_of(nginx, table_id, anna.cookie) as socket:
            await socket.send('{"t":"hello","seq":0}')
            assert json.loads(await socket.recv())["t"] == "sync"
        lobby = connect(
            f"wss://localhost:{nginx.port}/ws/lobby/",
            ssl=nginx.trust,
            origin=Origin(f"https://localhost:{nginx.port}"),
            proxy=None,
        )
        async with lobby as socket:
            assert json.loads(await socket.recv())["t"] in {"ask", "parts"}
    finally:
        nginx.stop()


@NEEDS_NGINX
async def test_nginx_for_two_machines(site: Site, tmp_path: Path) -> None:
    site.env |= {"HTTPS": "1", "ALLOWED_HOSTS": "localhost,127.0.0.1", "SOCKETS_PER_ADDRESS": "1"}
    running_site = serve(site, daphnes=2, workers=1)
    (anna,) = running_site.sign_in("Anna")
    table_id = await open_table(running_site.redis.url, [anna])
    for name in ("alone", "behind"):
        (tmp_path / name).mkdir()
    hurried = {"proxy_read_timeout 20s": "proxy_read_timeout 500ms"}
    nginx = Nginx(tmp_path / "alone", ports_of(running_site), two_machines(), hurried)
    behind = Nginx(
        tmp_path / "behind",
        ports_of(running_site),
        two_machines(),
        {
            "#set_real_ip_from 10.0.0.10;": "set_real_ip_from 127.0.0.1;",
            "#real_ip_header X-Forwarded-For;": "real_ip_header X-Forwarded-For;",
        },
    )
    tested = nginx.test()
    assert tested.returncode == 0, tested.stderr
    elsewhere = {"X-Forwarded-For": "192.0.2.7"}
    try:
        await asyncio.to_thread(nginx.start)
        await asyncio.to_thread(behind.start)
        async with socket_of(nginx, table_id, anna.cookie):
            with pytest.raises(InvalidStatus, match="403"):
                await socket_of(nginx, table_id, anna.cookie, **elsewhere)
            async with socket_of(behind, table_id, anna.cookie, **elsewhere):
                pass
        running_site.daphnes[0].pause()
        assert [await asyncio.to_thread(nginx.get, "/healthz") for _ in range(4)] == [200] * 4
        posted = [await asyncio.to_thread(nginx.get, "/healthz", b"a=1") for _ in range(6)]
        running_site.daphnes[0].resume()
        running_site.daphnes[0].kill()
        assert [await asyncio.to_thread(nginx.get, "/healthz") for _ in range(4)] == [200] * 4
    finally:
        nginx.stop()
        behind.stop()
    assert 504 in posted, "a form that the silent server was sent"
    tried = [line.split(" ", 2) for line in nginx.log.read_text().splitlines()]
    assert any(method == "GET" and "," in servers for method, _, servers in tried)
    assert not any(method == "POST" and "," in servers for method, _, servers in tried)
