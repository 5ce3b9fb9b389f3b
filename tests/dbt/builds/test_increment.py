"""A build of what is new makes the rows of a build of all, whatever came in which order."""

import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.builds.kept import STORE, read_kept, write_kept
from tests.support.builds.nights import append, judged_world, nights_of
from tests.support.builds.relations import same_as_all
from tests.support.steps import build
from tests.support.worlds.ame import random_pair_world
from tests.support.worlds.calibration.sets import many_small_sets
from tests.support.worlds.comparison.entries import random_compared_world
from tests.support.worlds.lines import random_lines
from tests.support.worlds.round_trips import random_round_trips
from tests.support.worlds.world import World, random_world
from warehouse.store.connection import reading, writing
from warehouse.store.growth.touched import Touched
from warehouse.views import build as building
from warehouse.views.statements import keeping

pytestmark = pytest.mark.long(seconds=150)

N_NIGHTS = 3
EARLY = [
    *("run", "dataset_release", "problem", "variant", "admission", "setting", "scorer"),
    *("mutation_scan", "mutation_site", "mutant", "mutation_pair", "text_similarity"),
]
"""Tables whose rows mostly are there before answers are, or come together."""


WORLDS: dict[str, Callable[[], World]] = {
    "any": lambda: random_world(0),
    "most": lambda: random_world(1),
    "shared": lambda: random_world(2),
    "compared": lambda: random_compared_world(3),
    "calibrated": lambda: many_small_sets(4, n_lms=12),
    "round trips": lambda: random_round_trips(5),
    "lines": lambda: random_lines(6),
    "mutations": lambda: random_pair_world(7, 4),
}


IN_GATE = ("any", "compared")
"""The others take a minute each, of both processors: `make test-slow` has them."""


@pytest.mark.parametrize(
    "name",
    [name if name in IN_GATE else pytest.param(name, marks=pytest.mark.slow) for name in WORLDS],
)
def test_nights_make_what_a_build_of_all_makes(
    name: str, done: Counter[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name != "most":  # most of each small world is touched in a night
        monkeypatch.setattr(Touched, "is_most", lambda _: False)
    world, rng = WORLDS[name](), random.Random(name)
    nights = nights_of(world, N_NIGHTS, rng, () if name == "any" else EARLY)
    path = World().write(tmp_path / "warehouse.duckdb")
    for night in nights:
        append(path, night)
        build(path)
    assert done["_replace"] > 15 or name in ("any", "most")
    if name != "any":
        assert done["_send_all"] <= 2, "the first build at most is of all"
    same_as_all(path)


def rates(path: Path) -> dict[str, float]:
    with reading(path) as con:
        rows = con.execute("select lm, pass_at_k from pass_at_k_v1 where k = 1").fetchall()
        return dict(rows)


@pytest.mark.usefixtures("few_views")
def test_a_newer_judge_takes_verdicts_back(done: Counter[str], tmp_path: Path) -> None:
    world, _ = judged_world()
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    assert rates(path) == {"one": 1.0, "two": 1.0}
    night = World()
    night.run("x2", 3)
    for problem in ("toy1.0", "toy1.1"):
        admission = night.admission(problem, "calibrated", "split", "x2")
        night.canary("x2", problem)
        for index in range(3):
            candidate = f"c.one.{problem}.{index}"
            program = night.program(candidate, problem, admission)
            night.evaluation(f"g.one.s1.{problem}.{index}", problem, candidate, program, "x2")
            night.outcome(program, 1, "failed", "x2")
    del night.raw["candidate"]
    append(path, night.raw)
    build(path)
    assert done["_replace"] > 0
    assert rates(path) == {"one": 0.5, "two": 1.0}
    same_as_all(path)


@pytest.mark.usefixtures("few_views", "small_parts")
def test_a_night_compares_the_numbers_of_new_candidates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, _ = judged_world()
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    rendered: list[str] = []
    of_new_numbers = Touched.of_new_numbers

    def noted(self: Touched, text: str) -> str:
        rendered.append(of_new_numbers(self, text))
        [(n,)] = self.con.execute("select count(*) from candidate_of_new_number").fetchall()
        assert n == 1
        return rendered[-1]

    monkeypatch.setattr(Touched, "of_new_numbers", noted)
    one_more(path)
    build(path)
    assert sum("temp.candidate_of_new_number" in text for text in rendered) == 1
    assert not any("stg_candidate" in re.sub(r"/\*.*?\*/", "", text) for text in rendered)


@pytest.mark.usefixtures("few_views")
def test_a_new_attempt_and_a_late_canary_are_seen(done: Counter[str], tmp_path: Path) -> None:
    world, programs = judged_world()
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    night = World()
    night.run("x3", 4)
    night.outcome(programs[0], 2, "failed", "x3")
    append(path, night.raw)
    build(path)
    assert rates(path)["one"] == 1.0, "its run has no canary yet"
    later = World()
    later.canary("x3", "toy1.0")
    append(path, later.raw)
    build(path)
    assert done["_replace"] > 0
    assert rates(path)["one"] == pytest.approx(11 / 12)
    same_as_all(path)


@pytest.mark.usefixtures("few_views", "small_parts")
def test_a_new_release_of_a_dataset_is_seen(done: Counter[str], tmp_path: Path) -> None:
    world, _ = judged_world()
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    night = World()
    night.run("x2", 3)
    for problem in night.release("toy2", "toy", 3, "x2"):
        admission = night.admission(problem, "calibrated", "split", "x2")
        night.canary("x2", problem)
        generation = night.generation("one", "s1", problem, 0)
        program = night.program(f"c.one.{problem}", problem, admission)
        night.evaluation(generation, problem, f"c.one.{problem}", program, "x2")
        night.outcome(program, 1, "failed", "x2")
    append(path, night.raw)
    build(path)
    assert done["_replace"] > 0
    assert rates(path) == {"one": 0.0, "two": 1.0}
    same_as_all(path)


@pytest.mark.usefixtures("small_parts")
def test_a_block_of_two_language_models_has_no_orphans(done: Counter[str], tmp_path: Path) -> None:
    world, _ = judged_world()
    for lm in ("one", "two"):
        world.pair("tokens_v2", f"c.{lm}.toy1.0.0", f"c.{lm}.toy1.0.1", 5, 10, 10)
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    done.clear()
    night = World()
    night.run("x2", 3)
    night.pair("tokens_v2", "c.one.toy1.0.1", "c.one.toy1.0.2", 5, 10, 10)
    append(path, night.raw)
    build(path)
    assert done["_replace"] > 0
    assert done["_send_all"] == done["_run_dbt"] == 0, "no data test failed"
    same_as_all(path)


@pytest.mark.usefixtures("few_views")
def test_nothing_is_made_that_reads_nothing_new(done: Counter[str], tmp_path: Path) -> None:
    world, _ = judged_world()
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    night = World()
    night.run("x9", 9, "ingest")
    append(path, night.raw)
    done.clear()
    assert build(path).fresh
    assert done["_run_dbt"] == done["_send_all"] == 0
    assert done["_make"] < 20
    assert done["_test"] < 60
    same_as_all(path)


def one_more(path: Path) -> None:
    """Add a language model that fails one problem."""
    night = World()
    night.run("x2", 3)
    night.canary("x2", "toy1.0")
    lm = night.lm("three")
    night.raw["language_model"][0]["run_id"] = "x2"
    generation = night.generation(lm, "s1", "toy1.0", 0)
    program = night.program("c.three", "toy1.0", "a.calibrated.toy1.0.r0")
    night.evaluation(generation, "toy1.0", "c.three", program, "x2")
    night.outcome(program, 1, "failed", "x2")
    append(path, night.raw)


KILLED = """
import os, signal, sys
from pathlib import Path
from warehouse.views import build, increment
from warehouse.views.statements import keeping
keeping.dbt_dir = lambda: Path(sys.argv[2])
made = increment.Increment._{part}
def killed(self, node):
    state = made(self, node)
    if node.relation == "{relation}":
        os.kill(os.getpid(), signal.SIGKILL)
    return state
increment.Increment._{part} = killed
build.build(build.BuildSpec(), Path(sys.argv[1]))
"""


@pytest.mark.parametrize(
    ("part", "relation"),
    [
        ("replace", "intermediate.int_evaluation_judged"),
        pytest.param("make", "main.pass_at_k_v1", marks=pytest.mark.slow),
    ],
)
def test_after_a_killed_build_all_is_built(
    part: str, relation: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, _ = judged_world()
    home.mkdir()
    path = world.write(home / "warehouse.duckdb")
    monkeypatch.setenv("ASSAY_HOME", str(home))
    build(path)
    one_more(path)
    script = KILLED.format(part=part, relation=relation)
    command = [sys.executable, "-c", script, str(path), str(keeping.dbt_dir())]
    run = subprocess.run(command, check=False)
    assert run.returncode == -9
    with reading(path) as con:
        assert con.execute("select count(*) from meta.rows_built").fetchall() == [(0,)]
    build(path)
    assert rates(path) == {"one": 1.0, "two": 1.0, "three": 0.0}
    same_as_all(path)


@pytest.mark.slow
def test_what_is_kept_and_damaged_hands_the_build_to_dbt(
    done: Counter[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "dbt_dir", lambda: tmp_path / "sent")
    monkeypatch.setattr(keeping, "shipped_file", lambda: tmp_path / "none")
    world, _ = judged_world()
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    assert done["_run_dbt"] == 1
    kept = STORE.cached
    wrong = read_kept(kept)
    for node in wrong["nodes"]:
        node["query"] = node["query"].replace("select", "selec")
    write_kept(kept, wrong)
    one_more(path)
    build(path)
    assert done["_send_all"] == 1, "the statements of the whole build were right"
    assert rates(path)["three"] == 0.0
    kept.write_text(kept.read_text()[:-100])
    shrink(path)
    build(path)
    assert done["_run_dbt"] == 2
    same_as_all(path)


def shrink(path: Path) -> None:
    """Do what nothing does: take a raw row away."""
    with writing(path) as con:
        con.execute("delete from raw.outcome where program_id like 'q.c.three%'")


@pytest.mark.usefixtures("few_views")
def test_rows_that_went_away_are_seen(done: Counter[str], tmp_path: Path) -> None:
    world, _ = judged_world()
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    one_more(path)
    build(path)
    n = done["_send_all"]
    shrink(path)
    build(path)
    assert done["_send_all"] == n + 1
    assert "three" not in {lm for lm, rate in rates(path).items() if rate is not None}


@pytest.mark.usefixtures("few_views")
def test_another_state_of_the_project_builds_all(
    done: Counter[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seed such as the errata is a file of the project."""
    world, _ = judged_world()
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    monkeypatch.setattr(building, "project_state", lambda: "f" * 64)
    done.clear()
    assert build(path).fresh
    assert done["_replace"] == done["_make"] == 0


@pytest.mark.usefixtures("few_views")
def test_relations_that_are_missing_are_made(done: Counter[str], tmp_path: Path) -> None:
    world, _ = judged_world()
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    with writing(path) as con:
        con.execute("drop table main.roc_v1")
    one_more(path)
    build(path)
    same_as_all(path)


def test_units_have_columns_whatever_the_name_of_the_file(tmp_path: Path) -> None:
    world, _ = judged_world()
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    kept = STORE.find()
    assert kept is not None
    nodes = kept.nodes
    assert sum(bool(node.replaced_by) for node in nodes) > 20
    with writing(path.rename(tmp_path / "a warehouse.duckdb")) as con:
        found = Touched(con, building._rows(con))
        for node in nodes:
            if node.unit:
                unit = found.unit(node.unit, node.relation)  # Doubt where a column is missing
                if node.kind == "table":
                    found.mirror_table(node.relation, unit)
                    assert found.count(f"touched.{node.relation}") >= 0
        found.mirror_facts("program_judged")
        assert found.count("touched.facts.program_judged") == 0, "nothing is new"
