"""A world that comes night after night: each row not before the rows that it names."""

import random
from collections.abc import Container
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml

from models.tables import TABLES
from tests.data import ROOT
from tests.support.worlds.similarity.blocks import PAIRS, pair_blocks
from tests.support.worlds.world import World
from warehouse.frames import key_of, name_of, schema_of
from warehouse.store.connection import writing

Night = dict[str, list[dict[str, Any]]]
KEYS = {name_of(table): key_of(table)[0] for table in TABLES} | dict.fromkeys(PAIRS, "candidate_a")
ENDS = {"candidate_a": "candidate", "candidate_b": "candidate"}


def judged_world() -> tuple[World, list[str]]:
    """Two language models that passed four problems, and the programs of the first."""
    world = World()
    for day, run in enumerate(("r0", "x0", "x1")):
        world.run(run, day)
    programs = []
    setting = world.setting("s1")
    for problem in world.release("toy1", "toy", 4, "r0"):
        admission = world.admission(problem, "calibrated", "split", "r0")
        for run in ("x0", "x1"):
            world.canary(run, problem)
        for lm in ("one", "two"):
            for index in range(3):
                generation = world.generation(world.lm(lm), setting, problem, index)
                candidate = f"c.{lm}.{problem}.{index}"
                program = world.program(candidate, problem, admission)
                world.evaluation(generation, problem, candidate, program, "x0")
                world.outcome(program, 1, "passed", "x0")
                if lm == "one":
                    programs.append(program)
    return world, programs


def parents() -> dict[str, dict[str, str]]:
    """Return by table the columns that name a row of another one, and which."""
    listed = yaml.safe_load((ROOT / "dbt" / "staging_tests.yml").read_text("utf-8"))["refers_to"]
    columns = {name_of(table): table.model_fields for table in TABLES}
    named = {
        name: {"run_id": "run"} | listed.get(name, {}) if "run_id" in columns[name] else {}
        for name in columns
    }
    return named | {
        "run": {},
        "pair_similarity": ENDS,
        "pair_score": {**ENDS, "scorer_id": "scorer"},
    }


def nights_of(world: World, n: int, rng: random.Random, early: Container[str] = ()) -> list[Night]:
    """Deal the rows of a world to nights, each row to one that has what it names, or a later one.

    Rows of ``early`` tables come in the first that can have them. Language models and settings are
    of a run of their night, as where a night brings new ones.
    """
    named = parents()
    for night in range(n):
        world.run(f"night{night}", 100 + night)
    placed: dict[tuple[str, Any], int] = {}
    dealt: list[Night] = [{} for _ in range(n)]
    for table in [*map(name_of, TABLES), *PAIRS]:
        for row in world.raw.get(table, []):
            least = max(
                (placed.get((parent, row[column]), 0) for column, parent in named[table].items()),
                default=0,
            )
            night = least if table in early else rng.randint(least, n - 1)
            if str(row.get("run_id", "")).startswith("night"):
                night = int(row["run_id"].removeprefix("night"))
            elif table in ("language_model", "setting") and rng.random() < 0.9:
                row = {**row, "run_id": f"night{night}"}
            key = (table, row[KEYS[table]])
            placed[key] = min(placed.get(key, n), night)
            dealt[night].setdefault(table, []).append(row)
    return dealt


def append(path: Path, night: Night) -> None:
    """Write the rows of a night into a warehouse."""
    with writing(path) as con:
        stored = {**night, **pair_blocks(night)}
        for blocks in ("pair_count_block", "pair_score_block"):
            [(n,)] = con.execute(f"select count(*) from raw.{blocks}").fetchall()
            for block in stored.get(blocks, []):
                block["block_id"] += f".{n}"
        for table in TABLES:
            if rows := stored.get(name_of(table)):
                con.register("rows", pa.Table.from_pylist(rows, schema=schema_of(table)))
                con.execute(f"insert into raw.{name_of(table)} by name select * from rows")
                con.unregister("rows")
