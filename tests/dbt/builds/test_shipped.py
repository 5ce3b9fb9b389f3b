"""The statements that come with the project are those that dbt sends, in any folder."""

import shutil
from pathlib import Path

import pytest

from tests.support.builds.kept import STORE
from tests.support.steps import build
from tests.support.worlds.world import World
from warehouse.errors import CheckFailed
from warehouse.views import build as building
from warehouse.views import project
from warehouse.views.statements import keeping, shipping
from warehouse.views.statements.keeping import shipped_file


def test_shipped_statements_are_current() -> None:
    assert STORE.in_file(shipped_file()) is not None, "stale: run `make dbt`"


def test_another_state_of_the_project_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "project_state", lambda: "f" * 64)
    assert STORE.in_file(shipped_file()) is None


@pytest.mark.parametrize("name", [".DS_Store", ".pass_at_k.sql.swp"])
def test_what_dbt_does_not_read_changes_no_state(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(project.project_dir(), tmp_path / "dbt")
    monkeypatch.setattr(project, "project_dir", lambda: tmp_path / "dbt")
    before = project.project_state()
    (tmp_path / "dbt" / "models" / name).write_text("left by an editor")
    assert project.project_state() == before
    (tmp_path / "dbt" / "seeds" / "more.csv").write_text("a\n1\n")
    assert project.project_state() != before


def test_code_that_keeps_otherwise_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "RECORDERS", ("part.py", *keeping.RECORDERS))
    assert STORE.in_file(shipped_file()) is None


def test_only_seeds_move_with_the_project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A view may contain the words that stand for the folder, or the folder."""
    monkeypatch.setattr(keeping, "dbt_dir", lambda: tmp_path)
    here = str(project.project_dir())
    sent = [
        keeping.SentStatement("model.mine.a", f"select '{keeping.PLACE}', '{here}'", None),
        keeping.SentStatement("seed.assay.b", f"copy b from '{here}/seeds/b.csv'", None),
    ]
    STORE.write(sent, [], keeping.Built(["a", "b"], [], []))
    kept = STORE.in_file(STORE.cached)
    assert kept is not None
    assert kept.statements == sent
    assert STORE.cached.read_text("utf-8").count(f"{here}/seeds") == 0


def test_a_new_home_needs_no_dbt(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In a folder whose name has a quote."""
    elsewhere = tmp_path / "it's elsewhere"
    shutil.copytree(project.project_dir(), elsewhere)
    for module in (project, keeping, building):
        monkeypatch.setattr(module, "project_dir", lambda: elsewhere)

    def refused(*_: object) -> None:
        raise CheckFailed("dbt was run")

    monkeypatch.setattr(building, "_run_dbt", refused)
    report = build(World().write(tmp_path / "warehouse.duckdb"))
    assert "leaderboard_v2" in report.views
    assert [*home.rglob("*.kept")] == []


@pytest.mark.long(seconds=60)
def test_dbt_sends_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shipped = shipped_file()
    again = tmp_path / "statements.kept"
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    monkeypatch.setattr(keeping, "dbt_dir", lambda: tmp_path / "dbt")
    for module in (keeping, shipping):
        monkeypatch.setattr(module, "shipped_file", lambda: again)
    shipping.main()
    assert again.read_bytes() == shipped.read_bytes()
