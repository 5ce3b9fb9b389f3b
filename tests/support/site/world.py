"""A small world whose names and texts try to be markup, scripts and other things than texts."""

import json
from pathlib import Path
from typing import Any

from tests.support.claims.world import claim, claim_source
from tests.support.worlds.comparison.entries import ComparedWorld

SCRIPT = "<script>window.evil=1</script>"
IMAGE = "\"><img src=x onerror='window.evil=1'>"
ODD = "a\u202eb\u200b\U0001d518\u0301 </title></pre> {{ 7 * 7 }} &lt; \x07"
ADDED = {"first": SCRIPT, "second": IMAGE, "planted": ODD, "third": "\N{RIGHT-TO-LEFT MARK}"}
N = 12
STATUSES = ("passed", "passed", "failed", "passed", "not_run", "not_run")
"""How the tests of a program ended."""
GENERATION = "generation/g.second.s1.toy1.2.1"
LMS = (("first", "s1", 8), ("second", "s1", 3), ("planted", "s1", 5), ("third", "s3", 6))


def hostile_world() -> ComparedWorld:
    """Three language models and a simulated one answer twelve problems; every text is hostile.

    The third was asked with another prompt, so it is on no board with the others.
    """
    world = ComparedWorld()
    world.settings()
    problems = world.problems("toy1", "toy", N)
    for lm, setting, most in LMS:
        world.lm(lm, simulated=lm == "planted")
        right = {name: [at < most, at % 2 == 0] for at, name in enumerate(problems)}
        world.answers(lm, setting, right)
    reflection = world.setting("r1", task="reflection")
    world.generation(
        "first", reflection, problems[0], 0, parent_generation_id=f"g.first.s1.{problems[0]}.0"
    )
    _rename(world)
    _write_texts(world)
    claim_source(world, "claims", "second", "toy")
    world.raw["claim_source"][0]["claimant"] = SCRIPT
    claim(world, "claims", f"toy/2 {SCRIPT}", 1, IMAGE, passed=False)
    return world


def address_of(place: Path, kind: str) -> str:
    """Return the address of one page of a kind."""
    found = sorted((place / "site" / kind).glob("*.html"))
    return found[0].relative_to(place / "site").as_posix().removesuffix(".html")


def kinds_of(place: Path) -> list[str]:
    """Return an address of each kind of page."""
    kinds = ("dataset", "language_model", "problem", "compare", "why")
    sql = ["sql"] if (place / "site" / "sql.html").exists() else []
    return [
        *sql,
        *("index", "compare", "figures", "views", "runs", GENERATION, "view/leaderboard_v2"),
        *(address_of(place, kind) for kind in kinds),
    ]


def _rename(world: ComparedWorld) -> None:
    for row in world.raw["language_model"]:
        row["lm"] = f"{row['lm_id']} {ADDED[row['lm_id']]}"
        row["planted"] = SCRIPT if row["simulated"] else None
    for row in world.raw["problem"]:
        row |= {
            "task_id": f"{row['task_id']} {SCRIPT}",
            "prompt": f"{IMAGE}\n{ODD}",
            "reference": f"# {SCRIPT}\n",
            "entry_point": IMAGE,
            "tags": f'["{SCRIPT}"]',
        }
        key = row["problem_id"]
        world.add(
            "test", key, test_id=f"t.{key}", problem_id=key, test_index=0, suite=IMAGE, kind="io",
            body=f"assert {SCRIPT}",
        )  # fmt: skip
    for row in world.raw["dataset_release"]:
        row |= {"source": f"javascript:{SCRIPT}", "license": IMAGE, "version": ODD}
    for row in world.raw["run"]:
        row |= {"settings": json.dumps({"note": SCRIPT}), "inputs": IMAGE}
    for row in world.raw["variant"]:
        row["prompt"] = f"{SCRIPT}{ODD}"
    for row in world.raw["setting"]:
        row["label"] = IMAGE


def _write_texts(world: ComparedWorld) -> None:
    for row in world.raw["generation"]:
        key = row["generation_id"]
        text = f"    return '''{SCRIPT}'''  # {IMAGE} {ODD}\n"
        row["finish_reason"] = SCRIPT
        world.add(
            "generation_text", key, generation_id=key, raw_text=f"{text}{IMAGE}", kept_text=text,
            kept_rule="whole",
        )  # fmt: skip
        tokens: dict[str, Any] = {"tokens": [SCRIPT, IMAGE, ODD], "logprobs": [-0.1, -1.0, -5.0]}
        world.add(
            "token_logprob", key, generation_id=key, kept=[True, True, False], **tokens
        )  # fmt: skip
    for row in world.raw["outcome"]:
        row["message"] = f"{SCRIPT} {IMAGE} {ODD}"
        for index, status in enumerate(STATUSES):
            world.test_outcome(row["program_id"], row["attempt"], index, status)
    for row in world.raw["test_outcome"]:
        row["message"] = SCRIPT
