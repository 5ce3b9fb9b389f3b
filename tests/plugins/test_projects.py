"""A project: its folder is the home, its views are built and tested, its plug-ins are listed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data import ROOT
from tests.support.commands import Done, shell
from warehouse import settings
from warehouse.plugins import GROUPS


def within(folder: Path, *arguments: str) -> Done:
    """Run a command line in a folder, as somebody does who works there."""
    environment = {name: value for name, value in os.environ.items() if name != "ASSAY_HOME"}
    done = subprocess.run(
        [sys.executable, "-m", "runners.cli.main", *arguments],
        cwd=folder,
        env={**environment, "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=900,  # against hanging: a night on a slow, busy machine takes minutes
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.long(seconds=60)
def test_the_example_project_has_its_view_and_its_plug_in(tmp_path: Path) -> None:
    project = tmp_path / "mine"
    assert shell("init", str(project)).returncode == 0
    night = within(project, "nightly", "--config", "night.toml")
    assert night.returncode == 0, night.stdout + night.stderr
    below = project / "views"
    asked = within(below, "sql", "--json", "select lm, n_solved from solved_by")
    (row,) = json.loads(asked.stdout)
    solved = within(
        below,
        *("sql", "--json"),
        "select count(distinct task_id) as n from generation_verdicts where verdict = 'passed'",
    )
    assert row == {"lm": "planted-coin", "n_solved": json.loads(solved.stdout)[0]["n"]}
    measured = within(
        below,
        *("sql", "--json"),
        "select count(*) as n from sim_at_k where similarity = 'same_length_v1'",
    )
    assert json.loads(measured.stdout)[0]["n"] > 0
    why = within(below, "why", "solved_by", "true")
    assert (why.returncode, why.stderr) == (
        3,
        "error: solved_by is a view of your own: ask of what it reads, which is "
        "generation_verdicts_v1\n",
    )
    # a table of facts is nobody's to replace
    taking = below / "taking.sql"
    for config in ("schema='raw', alias='generation'", "alias='leaderboard'"):
        taking.write_text(f"{{{{ config({config}) }}}} select 1 as n")
        refused = within(below, "build")
        assert refused.returncode == 6
        assert "taking: a view of your own " in refused.stderr
    taking.unlink()
    # the column is tested, and a view that fails is said; without it all is as before
    view = below / "solved_by.sql"
    text = view.read_text(encoding="utf-8")
    view.write_text(text.replace("count(distinct task_id) filter", "null as x, sum(null) filter"))
    failed = within(below, "build", "--select", "solved_by")
    assert failed.returncode == 6
    assert "not_null_solved_by_n_solved" in failed.stderr
    view.unlink()
    (below / "views.yml").unlink()
    gone = within(below, "build", "--select", "solved_by")
    assert (gone.returncode, gone.stderr.count("\n")) == (3, 1)


def test_a_view_of_yours_has_its_page_and_one_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "assay.toml").touch()
    view = tmp_path / "views" / "mine.sql"
    view.parent.mkdir()
    view.write_text("select * from {{ ref('pass_at_k') }}\n")
    (view.parent / "mine.yml").write_text("models: [{name: mine, description: All of it.}]\n")
    assert within(tmp_path, "docs", "pages").returncode == 0
    page = (tmp_path / "pages" / "view" / "mine.html").read_text(encoding="utf-8")
    assert "A view of your own. All of it." in page
    assert "<code>views/mine.sql</code>" in page
    assert 'href="../view/mine.html"' in (tmp_path / "pages/view/pass_at_k_v1.html").read_text()
    view.write_text("select * from {{ ref('pass_at_k' }}\n")
    done = within(tmp_path, "docs", "pages")
    assert done.returncode == 1
    assert done.stderr.startswith("error: views/mine.sql: cannot be read as a template of dbt")
    assert done.stderr.count("\n") == 1
    assert "A view of your own." in (tmp_path / "pages" / "view" / "mine.html").read_text()


def test_the_example_names_every_kind_of_plug_in() -> None:
    text = (ROOT / "configs" / "project" / "assay.toml").read_text(encoding="utf-8")
    assert [kind for kind in GROUPS.values() if f"plugins.{kind}" not in text] == []


BAD = {
    "plugins = 1": "plugins: a table for each kind is needed",
    "plugin = {}": "there is no key 'plugin': did you mean plugins?",
    "[plugins.taks]": "there is no kind 'plugins.taks': did you mean tasks?",
    "[plugins.tasks]\na = 'b'": 'plugins.tasks: write each as name = "module:attribute"',
    "[plugins": "no TOML that can be read: ",
}


@pytest.mark.parametrize("text", BAD)
def test_an_assay_toml_that_does_not_fit_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "assay.toml").write_text(text, encoding="utf-8")
    done = within(tmp_path, "ingest", "starter")
    assert done.returncode == 3
    assert done.stderr.startswith(f"error: {tmp_path}/assay.toml: {BAD[text]}"), done.stderr
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["assay.toml"]


def test_a_name_of_assay_stays_with_it(tmp_path: Path) -> None:
    (tmp_path / "assay.toml").write_text('[plugins.datasets]\nstarter = "os:path"\n')
    done = within(tmp_path, "doctor")
    assert "starter' (os:path, of " in done.stdout
    assert "is left out: the name is taken" in done.stdout
    assert within(tmp_path, "ingest", "starter").returncode == 0


def test_a_project_is_the_home_of_what_runs_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASSAY_HOME", raising=False)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert settings.named_home() == Path("~/.assay").expanduser()
    (tmp_path / "assay.toml").touch()
    assert settings.named_home() == tmp_path
    assert settings.own_views_dir() == tmp_path / "views"
    monkeypatch.setenv("ASSAY_HOME", str(below))
    assert settings.named_home() == below
    assert settings.own_views_dir() is None
    assert settings.named_home(str(tmp_path / "a")) == tmp_path / "a"
    monkeypatch.delenv("ASSAY_HOME")
    below.rmdir()
    assert settings.named_home() == Path("~/.assay").expanduser()


@pytest.mark.parametrize("there", ["file", "full"])
def test_a_project_is_made_in_a_new_folder_alone(tmp_path: Path, there: str) -> None:
    folder = tmp_path / "there"
    if there == "file":
        folder.write_text("x")
    else:
        folder.mkdir()
        (folder / "x").write_text("x")
    done = shell("init", str(folder))
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.rglob("*")] == ["there", "x"][: 1 + folder.is_dir()]
