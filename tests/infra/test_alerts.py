"""Prometheus accepts the alert rules, every metric in them exists, and the alerts fire."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.test import AsyncClient

from game.live.process import close_current
from tests.kit.processes import RedisServer
from tools import system

RULES = Path(settings.BASE_DIR) / "deploy/prometheus/alerts.yml"
PROMTOOL = os.environ.get("PROMTOOL_PATH") or system.find_program(system.PROMTOOL)
NEEDS_PROMTOOL = pytest.mark.skipif(
    PROMTOOL is None, reason="promtool is not here (Debian: prometheus, or PROMTOOL_PATH)"
)
WEB = '{job="mahjong-web", instance="a:9100"}'
FIRING: dict[str, dict[str, str]] = {
    "MahjongProcessDown": {f"up{WEB}": "0x20"},
    "MahjongNoWebServer": {f"up{WEB}": "0x20"},
    "MahjongNoWorker": {f"up{WEB}": "1x20"},
    "MahjongRedisUnreachable": {f"mahjong_tables{WEB}": "NaN " * 20},
    "MahjongTableFrozen": {f"mahjong_frozen_total{WEB}": "0+0x9 1x20"},
    "MahjongNotificationsStopped": {f"mahjong_notification_age_seconds{WEB}": "4x20"},
    "MahjongStepsWithoutNotification": {f"mahjong_unnotified_steps_total{WEB}": "0+60x20"},
    "MahjongRedisRefusesWrites": {f"mahjong_heartbeat_age_seconds{WEB}": "0+60x20"},
    "MahjongWorkerClaimsNothing": {f"mahjong_worker_claim_age_seconds{WEB}": "0+60x20"},
    "MahjongTaskFailing": {f"mahjong_failing_tasks{WEB}": "1x20"},
    "MahjongCommitsNotReplicated": {f"mahjong_unreplicated_commits_total{WEB}": "0+1x20"},
}
"""The values of a series by minute on which an alert fires."""


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    return list(group["rules"])


def promtool(*words: str) -> None:
    assert PROMTOOL is not None
    done = subprocess.run(
        [PROMTOOL, *words], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@NEEDS_PROMTOOL
def test_promtool_accepts_the_rules() -> None:
    promtool("check", "rules", str(RULES))


async def test_every_metric_of_the_rules_exists(redis_server: RedisServer, settings: Any) -> None:
    settings.REDIS_URL = redis_server.url
    text = (await AsyncClient().get("/metrics")).content.decode()
    await close_current()
    shown = set(re.findall(r"^([a-z_]+)[ {]", text, re.MULTILINE))
    named = set(re.findall(r"\b(?:mahjong|process|python)_[a-z_]+", str(rules())))
    assert len(named) > 10
    assert named <= shown


@NEEDS_PROMTOOL
def test_alerts_fire(tmp_path: Path) -> None:
    names = {rule["alert"] for rule in rules()}
    assert set(FIRING) <= names
    tests = [
        {
            "interval": "1m",
            "input_series": [{"series": key, "values": values} for key, values in series.items()],
            "promql_expr_test": [
                {
                    "expr": f'count(ALERTS{{alertname="{name}", alertstate="firing"}})',
                    "eval_time": "12m",
                    "exp_samples": [{"labels": "{}", "value": 1}],
                }
            ],
        }
        for name, series in FIRING.items()
    ]
    file = tmp_path / "alerts_test.yml"
    file.write_text(
        yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "15s", "tests": tests})
    )
    promtool("test", "rules", str(file))
