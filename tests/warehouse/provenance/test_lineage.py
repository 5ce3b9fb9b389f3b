"""What a view reads, found without dbt, is what dbt says that it reads."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from warehouse.store.migrations import migrate
from warehouse.views import build
from warehouse.views.lineage import lineage, readers_of_all, sources_of, sql_files
from warehouse.views.project import project_dir
from warehouse.views.rules import describe_rules

pytestmark = pytest.mark.long(seconds=20)


def parsed_by_dbt(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    from dbt.cli.main import dbtRunner

    monkeypatch.chdir(folder)
    for name, value in build.dbt_settings(folder / "warehouse.duckdb").items():
        monkeypatch.setenv(name, value)
    project, place = str(project_dir()), str(build.dbt_dir() / "target")
    silent = ["--quiet", "--no-write-json", "--log-level", "none", "--log-level-file", "none"]
    where = ["--project-dir", project, "--profiles-dir", project, "--target-path", place]
    done = dbtRunner().invoke([*silent, "parse", *where])
    assert done.success, done.exception
    return done.result


def test_every_view_reads_what_dbt_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = parsed_by_dbt(tmp_path, monkeypatch)
    names = {key: node.alias for key, node in manifest.nodes.items()}
    names |= {key: f"{node.schema}.{node.name}" for key, node in manifest.sources.items()}
    models = [node for node in manifest.nodes.values() if node.resource_type == "model"]
    assert {node.alias for node in models} == sql_files().keys()
    for node in models:
        (first, *_) = lineage(node.alias)
        assert (first.name, set(first.reads)) == (
            node.alias,
            {names[key] for key in node.depends_on_nodes},
        )
        assert first.file == f"dbt/{node.original_file_path}"


def test_a_lineage_is_ordered_and_whole() -> None:
    for view in sql_files():
        steps = lineage(view)
        places = {step.name: at for at, step in enumerate(steps)}
        assert places[view] == 0
        assert len(places) == len(steps)
        for step in steps:
            for read in step.reads:
                assert places.get(read, len(steps)) > places[step.name]
        assert all("." in name or (project_dir() / f"seeds/{name}.csv").exists()
                   for name in sources_of(steps))  # fmt: skip


def test_the_end_of_a_known_lineage() -> None:
    ends = sources_of(lineage("pass_at_k_v1"))
    assert {"raw.generation", "raw.problem", "facts.program_judged"} <= set(ends)
    assert "raw.outcome" in sources_of(lineage("execution_runs_v1"))
    assert "raw.calibration_fit" not in ends
    assert "raw.calibration_fit" in sources_of(lineage("calibration_scaled_v2"))


def test_the_rules_are_those_of_a_new_warehouse() -> None:
    con = duckdb.connect()
    migrate(con, Path("new"))
    made = con.execute(
        "select view_name from duckdb_views() where schema_name = 'facts' union all "
        "select function_name from duckdb_functions() where schema_name = 'facts'"
    ).fetchall()
    rules = {rule.name: rule for rule in describe_rules()}
    assert rules.keys() == {f"facts.{name}" for (name,) in made}
    assert all(rule.description and rule.reads for rule in rules.values())
    assert rules["facts.program_judged"].reads == ("raw.canary", "raw.outcome", "raw.program")
    assert "facts.suite_run_counted" in readers_of_all()["raw.suite_run"]
