"""Docs are tests: what README, CONTRIBUTING and the configurations say must be so."""

import re
import shlex
import tomllib
from pathlib import Path

import click
import duckdb
import pytest

from runners.cli.main import cli
from runners.steps.night_config import read_config
from tests.data import ROOT
from warehouse.views.describe import describe_views

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)


def commands() -> list[str]:
    found = []
    for page in PAGES:
        for block in blocks(page, "console") + blocks(page, "sh"):
            if page.name == "extensions.md":
                continue  # tests/plugins runs these, with the plug-ins that they name
            for line in block.replace("\\\n", " ").splitlines():
                shown = line.removeprefix("$ ").strip()
                if re.match(r"(\w+=\S+ )*(\.venv/bin/)?assay\b", shown):
                    found.append(shown)
    return found


def test_there_are_commands_to_check() -> None:
    assert len(commands()) >= 2


@pytest.mark.parametrize("line", commands())
def test_every_shown_command_parses(line: str) -> None:
    words = shlex.split(line, comments=True)
    while "=" in words[0]:
        words.pop(0)
    arguments = words[1:]
    for stop in ("|", ">", "&&"):
        if stop in arguments:
            arguments = arguments[: arguments.index(stop)]
    with click.Context(cli, help_option_names=["-h", "--help"]) as context:
        command: click.Command = cli
        while isinstance(command, click.Group):
            parser = command.make_parser(context)
            _, arguments, _ = parser.parse_args(list(arguments))
            assert arguments, line
            found = command.get_command(context, arguments[0])
            assert found is not None, f"no command {arguments[0]!r} in: {line}"
            command, arguments = found, arguments[1:]
        if "--help" not in arguments:
            command.make_context("assay", list(arguments), parent=context)


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120


def test_the_readme_shows_how_similar_the_samples_of_every_evalperf_model_are() -> None:
    measured, readme = (
        (ROOT / name).read_text(encoding="utf-8") for name in ("docs/similarity.md", "README.md")
    )
    # name, problems, ..., token overlap, TF-IDF, tree edits, structure
    rows = re.findall(r"^\| MBPP\+ \| (\S+ \| \d\d \| .*\]) \|$", measured, re.MULTILINE)
    cells = [row.split(" | ") for row in rows]
    known = [[name, problems, cell[4], cell[6]] for name, problems, *cell in cells]
    table = readme.partition("| solutions of 20 |")[2].partition("\n\n")[0]
    shown = [row.strip("| ").split(" | ") for row in table.splitlines()[2:]]
    assert len(known) == 5
    assert [[row[0], row[1], row[2], row[4]] for row in shown] == known


def test_the_readme_opens_with_the_two_commands() -> None:
    head = (ROOT / "README.md").read_text()[:1500]
    makefile = (ROOT / "Makefile").read_text()
    for target in ("demo", "check"):
        assert f"make {target}" in head
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    assert "make check" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_named_paths_exist(page: Path) -> None:
    text = page.read_text()
    for target in re.findall(r"\]\((?!http|#)([^)#]+)", text):
        assert (page.parent / target).exists(), target
    for path in re.findall(
        r"`((?:models|warehouse|ingest|runners|dbt|tests|docs|configs)/[\w./-]+)`", text
    ):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("config", sorted((ROOT / "configs").glob("*.toml")), ids=lambda p: p.name)
def test_configurations_fit(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATA", "/somewhere")
    names = [step.name for step in read_config(config, files=False)]
    assert names[-1].startswith(("publish", "export"))
    assert tomllib.loads(config.read_text())


def test_the_sql_of_the_pages_runs() -> None:
    queries = []
    for page in PAGES:
        queries += re.findall(r'^\$ .*assay sql "([^"]+)"', page.read_text(), re.MULTILINE)
        queries += blocks(page, "sql")
    assert len(queries) > 3
    con = duckdb.connect()
    for view in sorted(describe_views(), key=lambda view: view.name):
        if any(column.data_type is None for column in view.columns):
            continue
        columns = ", ".join(f"{column.name} {column.data_type}" for column in view.columns)
        for name in filter(None, (view.name, view.plain_name)):
            con.execute(f"create or replace table {name} ({columns})")
    for query in queries:
        con.execute(query)
