"""Nights with a planted language model that gets worse: the alarm comes once, and exit code 7."""

import json
import shutil
from pathlib import Path

import pytest

from ingest.datasets.starter import FOLDER
from runners.steps.nightly import last_night
from runners.steps.status import status
from tests.support.commands import assay
from tests.support.sql import rows
from warehouse.reports.alarms import Alarm, untold

N_PROBLEMS = 24
CONFIG = """
[[ingest]]
name = "starter"
path = "problems"
unpinned = true  # half of the 48 problems

[[generate]]
backend = "planted"
lm = "fader"
dataset = "starter"
n = 2
more = true
temperature = 0.8
options = { pass_rate = 0.9, drop = 0.6, drop_from = 4, n_styles = 1, seed = 3 }

[similarity]
measures = ["tokens_v2"]
pair_measures = []
text_measures = []

[calibrate]
intervals = false
"""


@pytest.mark.long(seconds=60)
def test_a_language_model_that_gets_worse_in_the_third_night_is_told_once(home: Path) -> None:
    (home / "problems").mkdir(parents=True)
    for file in sorted(FOLDER.glob("*.py"))[:N_PROBLEMS]:
        shutil.copy(file, home / "problems")
    config = home / "night.toml"
    config.write_text(CONFIG)
    codes, shown = [], []
    for _ in range(4):
        done = assay("nightly", "--config", str(config), "--no-progress")
        codes.append(done.returncode)
        shown.append(done.stdout + done.stderr)
    assert codes == [0, 0, 7, 0], shown
    assert rows("select count(*), count(distinct sample_index) from raw.generation") == [
        (N_PROBLEMS * 8, 8)
    ]
    told = [line for line in shown[2].splitlines() if line.startswith("alarm: pass_at_1")]
    assert len(told) == 1
    assert told[0].startswith("alarm: pass_at_1 of fader on starter (completion, T=0.8")
    assert "night 3: is down to 0." in told[0]
    assert "is new: `assay sql" in shown[2] or "are new: `assay sql" in shown[2]
    assert "alarm: " not in shown[3]
    alerts = rows("select night_no from alerts_v1 where is_new and metric = 'pass_at_1'")
    assert alerts == [(3,)]
    logged = [json.loads(line) for line in (home / "nightly.jsonl").read_text().splitlines()]
    assert [bool(night["new_alarms"]) for night in logged] == [code == 7 for code in codes]
    found = status()["nightly"]
    assert found["state"].endswith("all steps done")
    assert found["new_alarms"] == []


def test_where_no_alarm_was_ever_told_only_those_of_newest_nights_are() -> None:
    old, new = Alarm("a", False, "old"), Alarm("b", True, "new")
    assert untold([old, new], None) == [new]
    assert untold([old, new], []) == [old, new]
    assert untold([old, new], ["a", "b"]) == []


def test_an_alarm_of_a_night_that_failed_is_told_by_the_next(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from runners.steps import nightly as nights

    home.mkdir()
    failing = nights.Step("execute", 1.0, error="the disk is full")
    reports = iter([[], [failing], [], []])
    monkeypatch.setattr(nights, "read_config", lambda config: [])
    monkeypatch.setattr(
        nights, "run_steps", lambda config, *_, **__: nights.NightlyReport(config, next(reports))
    )
    found: list[Alarm] = []
    monkeypatch.setattr(nights.alarms, "fresh_alarms", lambda: found)
    assert nights.nightly(Path("x")).new_alarms == []
    found.append(Alarm("a", False, "worse"))
    assert nights.nightly(Path("x")).new_alarms == []
    assert nights.nightly(Path("x")).new_alarms == ["worse"]
    assert nights.nightly(Path("x")).new_alarms == []
    night = last_night()
    assert night is not None
    assert night["told_alarms"] == ["a"]


@pytest.mark.parametrize("damage", [b'{"config": "x", "st', b"[]\n", b"1\n", b"\xff\n", b"{}\n"])
def test_a_damaged_end_of_the_log_is_passed_over(home: Path, damage: bytes) -> None:
    from runners.steps import nightly as nights

    home.mkdir(exist_ok=True)
    nights._log(nights.NightlyReport("first", told_alarms=["a"]))
    log = home / nights.LOG
    log.write_bytes(log.read_bytes() + damage)
    first = last_night()
    assert first is not None
    assert (first["config"], first["told_alarms"]) == ("first", ["a"])
    nights._log(nights.NightlyReport("second"))
    second = last_night()
    assert second is not None
    assert second["config"] == "second"


def test_new_alarms_are_printed_and_end_with_code_7(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from runners.steps import nightly as nights

    report = nights.NightlyReport("x", new_alarms=["pass_at_1 of a is down", "parses of a is up"])
    monkeypatch.setattr(nights, "nightly", lambda *_, **__: report)
    monkeypatch.setattr("warehouse.reports.board.board_of", lambda spec: None)
    monkeypatch.setattr("warehouse.reports.board.show", lambda board: None)
    done = assay("nightly", "--config", "x")
    assert done.returncode == 7
    assert done.stdout.endswith("alarm: pass_at_1 of a is down\nalarm: parses of a is up\n")
    assert done.stderr.startswith("error: 2 alarms are new: ")
    assert json.loads(assay("nightly", "--config", "x", "--json").stdout)["new_alarms"]
    report.steps.append(nights.Step("execute", 1.0, error="the disk is full"))
    assert assay("nightly", "--config", "x").returncode == 1
