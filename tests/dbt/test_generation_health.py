"""generation_health against a plain oracle on a made-up world, and its golden file."""

import math
import random
import re
import statistics
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from models.words import GENERATION_ISSUES
from tests.data import ROOT
from tests.support.goldens import check_golden
from tests.support.sql import rows_in
from tests.support.steps import build
from tests.support.worlds.world import World

pytestmark = pytest.mark.long(seconds=15)

DBT = ROOT / "dbt"
LOST = GENERATION_ISSUES[:6]
NOTED = GENERATION_ISSUES[6:]
SETTINGS = {
    "s1": ("synthesis", "original"),
    "r1": ("reflection", "verbalized_v1"),
    "t1": ("reflection", "ask_tf_v1"),
    "p1": ("plan_choice", "plan_choice_v1"),
}


def made_up(seed: int) -> World:
    """Two language models on two releases: drawn, lost, recovered, reflected on up to 4 times."""
    rng = random.Random(seed)
    world = World()
    for day, run in enumerate(["r0", "g0", "g1"]):
        world.run(run, day, "generate")
    problems = world.release("toy1", "toy", 5, "r0") + world.release("other1", "other", 3, "r0")
    world.setting("s1")
    for name in ("r1", "t1", "p1"):
        world.setting(name, task=SETTINGS[name][0], temperature=1.0)
        world.raw["setting"][-1]["prompt_kind"] = SETTINGS[name][1]
    for lm in ("a", "b", "all_lost"):
        world.lm(lm)
        for problem in problems if lm != "all_lost" else problems[:2]:
            for index in range(3):
                parent = _sample(world, rng, lm, "s1", problem, index, lost=lm == "all_lost")
                for attempt in range(rng.choice([0, 1, 2, 4, 4, 5]) if parent else 0):
                    reply = _sample(world, rng, lm, "r1", problem, attempt, parent)
                    value = rng.random() if rng.random() < 0.15 else None
                    if reply and rng.random() < 0.95:
                        world.add(
                            "reflection_reading", reply, reading_id=reply, generation_id=reply,
                            reader="verbalized_v1", value=value, rule="R1" if value else None,
                            null_reason=None if value else "parse_fail",
                        )  # fmt: skip
                if parent and lm == "a":
                    _sample(world, rng, lm, "t1", problem, 0, parent)
    for sample in [row for row in world.raw["generation"] if row["setting_id"] == "s1"][:5]:
        _sample(world, rng, "b", "p1", sample["problem_id"], 0, sample["generation_id"])
    for rows in world.raw.values():
        rng.shuffle(rows)
    return world


def _sample(
    world: World,
    rng: random.Random,
    lm: str,
    setting: str,
    problem: str,
    index: int,
    parent: str | None = None,
    lost: bool = False,
) -> str | None:
    lost = lost or rng.random() < 0.2
    name = f"g.{lm}.{setting}.{problem}.{index}" + (f".{parent}" if parent else "")
    named = {
        "generation_id": name, "lm_id": lm, "setting_id": setting, "problem_id": problem,
        "sample_index": index,
    }  # fmt: skip
    for code in rng.sample(NOTED, rng.choice([0, 0, 1, 2])) if not lost else []:
        for run in rng.sample(["g0", "g1"], rng.choice([1, 2])):
            _issue(world, named, code, run, lost=False)
    for run in rng.sample(["g0", "g1"], rng.choice([1, 2])) if lost or rng.random() < 0.1 else []:
        _issue(world, named, rng.choice(LOST), run, lost=True)
    if lost:
        return None
    world.generation(
        lm, setting, problem, index, generation_id=name, parent_generation_id=parent,
        finish_reason=rng.choice(["stop", "length", None]),
        n_prompt_tokens=rng.choice([None, 7]), n_completion_tokens=rng.choice([None, 9]),
        latency_s=rng.choice([None, 0.5, 0.75, 1.0]), cost_usd=rng.choice([None, 0.25]),
    )  # fmt: skip
    if rng.random() < 0.8:
        world.add(
            "generation_request", name, generation_id=name, template=SETTINGS[setting][1],
            template_key="", prompt_key="", n_attempts=rng.choice([1, 1, 3]),
        )  # fmt: skip
    if rng.random() < 0.7:
        world.add(
            "token_logprob", name, generation_id=name, tokens=["x"], logprobs=[-0.5], kept=[True],
        )  # fmt: skip
    return name


def _issue(world: World, named: dict[str, Any], code: str, run: str, *, lost: bool) -> None:
    name = named["generation_id"]
    world.add(
        "generation_issue", (name, code, run), issue_id=f"{name}.{code}.{run}", code=code,
        detail="", lost=lost, run_id=run, **named,
    )  # fmt: skip


def _entries(
    raw: dict[str, list[dict[str, Any]]], release: dict[str, str]
) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Return what was drawn, what is wrong with it and what was lost, by entry."""
    entries: dict[tuple[str, str, str], dict[str, Any]] = defaultdict(
        lambda: {"drawn": {}, "issues": defaultdict(set), "lost": set()}
    )
    for row in raw["generation"]:
        key = (row["lm_id"], row["setting_id"], release[row["problem_id"]])
        entries[key]["drawn"][row["generation_id"]] = row
    for row in raw["generation_issue"]:
        entry = entries[row["lm_id"], row["setting_id"], release[row["problem_id"]]]
        entry["issues"][row["code"]].add(row["generation_id"])
        if row["lost"]:
            entry["lost"].add(row["generation_id"])
    return entries


def oracle(raw: dict[str, list[dict[str, Any]]]) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Count everything by hand."""
    release = {row["problem_id"]: row["release_id"] for row in raw["problem"]}
    reader = {row["setting_id"]: row["prompt_kind"] for row in raw["setting"]}
    entries = _entries(raw, release)
    attempts = {row["generation_id"]: row["n_attempts"] for row in raw["generation_request"]}
    logged = {row["generation_id"] for row in raw["token_logprob"]}
    readings = {row["generation_id"]: row for row in raw["reflection_reading"]}
    found = {}
    for key, entry in entries.items():
        drawn, ids = entry["drawn"], set(entry["drawn"])
        sums = {
            name: [row[name] for row in drawn.values() if row[name] is not None]
            for name in ("n_prompt_tokens", "n_completion_tokens", "cost_usd", "latency_s")
        }
        tried = [attempts[name] for name in drawn if name in attempts]
        parents = defaultdict(list)
        for row in drawn.values():
            if SETTINGS[row["setting_id"]][0] == "reflection":
                reading = readings.get(row["generation_id"])
                mine = reading if reading and reading["reader"] == reader[key[1]] else None
                parents[row["parent_generation_id"]].append(mine)
        values = {
            parent: [reading["value"] for reading in found_there if reading]
            for parent, found_there in parents.items()
        }
        reads = sum(any(v is not None for v in each) for each in values.values())
        gave_up = sum(len(each) >= 4 and not any(each) for each in values.values())
        can_read = any(values.values())
        found[key] = {
            "n_asked": len(ids | entry["lost"]),
            "n_drawn": len(ids),
            "n_lost": len(entry["lost"] - ids),
            "n_recovered": len(entry["lost"] & ids),
            "n_with_issue": len(set().union(*entry["issues"].values())),
            **{f"n_{code}": len(entry["issues"][code]) for code in GENERATION_ISSUES},
            "n_cut_off": sum(row["finish_reason"] == "length" for row in drawn.values()),
            "n_with_logprobs": len(ids & logged),
            "n_retried": sum(n > 1 for n in tried),
            "n_attempts": sum(tried) if tried else None,
            "n_judged": len(parents) or None,
            "calls_per_judged": len(drawn) / len(parents) if parents else None,
            "n_read": reads if can_read else None,
            "n_fallback": gave_up if can_read else None,
            "fallback_rate": gave_up / (reads + gave_up) if can_read and reads + gave_up else None,
            "n_prompt_tokens": sum(sums["n_prompt_tokens"]) or None,
            "n_completion_tokens": sum(sums["n_completion_tokens"]) or None,
            "cost_usd": sum(sums["cost_usd"]) or None,
            "latency_s_p50": statistics.median(sums["latency_s"]) if sums["latency_s"] else None,
        }
    return found


def built(seed: int, folder: Path) -> tuple[World, list[dict[str, Any]]]:
    world = made_up(seed)
    path = world.write(folder / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder))
        build(path, select="+generation_health_v1")
    return world, rows_in(path, "select * from generation_health_v1 order by all")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, list[dict[str, Any]]]:
    return built(1, tmp_path_factory.mktemp("health"))


def test_the_view_counts_as_the_oracle_does(first: tuple[World, list[dict[str, Any]]]) -> None:
    world, rows = first
    expected = oracle(world.raw)
    assert len(rows) == len(expected) == 4 + 4 + 2 + 1 + 1
    for row in rows:
        for name, value in expected[row["lm_id"], row["setting_id"], row["release_id"]].items():
            if isinstance(value, float):
                assert math.isclose(row[name], value, abs_tol=1e-9), (row["lm"], name)
            else:
                assert row[name] == value, (row["lm"], row["setting_id"], name)
    lost = [row for row in rows if row["lm"] == "all_lost"]
    assert [(row["n_drawn"], row["n_lost"], row["n_asked"]) for row in lost] == [(0, 6, 6)]
    assert all(any(row[name] for row in rows) for name in ("n_fallback", "n_recovered", "n_read"))


def test_golden(first: tuple[World, list[dict[str, Any]]]) -> None:
    check_golden("generation_health_v1", first[1])


def test_the_view_has_a_column_for_every_issue() -> None:
    text = (DBT / "macros" / "words" / "generation_issues.sql").read_text(encoding="utf-8")
    assert re.findall(r"'(\w+)'", text) == list(GENERATION_ISSUES)
