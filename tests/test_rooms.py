"""The rooms resolve inside this repository, and dbt/ never hides the dbt library."""

import ast
import importlib
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.data import ROOT


@pytest.mark.parametrize("room", ["models", "warehouse", "ingest", "runners"])
def test_room_is_ours(room: str) -> None:
    found = Path(str(importlib.import_module(room).__file__)).resolve()
    assert found.is_relative_to(ROOT)


def test_dbt_folder_is_no_package() -> None:
    assert not (ROOT / "dbt" / "__init__.py").exists()
    import dbt.version

    assert not Path(str(dbt.version.__file__)).resolve().is_relative_to(ROOT / "dbt")


def test_imports_run_one_way(tmp_path: Path) -> None:
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wrong_import_would_be_seen(tmp_path: Path) -> None:
    """The contract can fail: a room that imports upwards breaks it."""
    for room in ("models", "warehouse", "ingest", "runners"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text("")
    (tmp_path / "models" / "up.py").write_text("import runners\n")
    text = (ROOT / "pyproject.toml").read_text()
    contracts = text[text.index("[tool.importlinter]") :].split("[[tool.importlinter.contracts]]")
    contract = "[[tool.importlinter.contracts]]".join(contracts[:2])
    (tmp_path / "pyproject.toml").write_text(contract)
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env={"PYTHONPATH": str(tmp_path)}
    )
    assert done.returncode != 0
    assert "models.up" in done.stdout


def test_what_tests_share_is_in_support() -> None:
    """No file imports from a test file, in either spelling."""
    wrong = re.compile(r"^\s*(from|import) (tests[\w.]* import .*)?[\w.]*\btest_", re.M)
    assert wrong.search("from tests.dbt.test_views import build")
    assert wrong.search("    from tests.dbt import test_views")
    found = {file for file in ROOT.glob("tests/**/*.py") if wrong.search(file.read_text())}
    assert not found


def test_a_class_name_means_one_thing() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for room in ("models", "warehouse", "ingest", "runners", "tests"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(str(path.relative_to(ROOT)))
    assert len(found) > 300
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


BARE = {"read", "keep", "look", "place", "draw", "tell"}
ENTRIES = ("ingest/claims", "ingest/datasets", "ingest/imports", "warehouse/reports/plots")
"""Registries whose entries have an attribute of such a name."""


def test_a_function_is_named_for_what_comes_back() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for room in ("models", "warehouse", "ingest", "runners")
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name in BARE
        if path.parent.relative_to(ROOT).as_posix() not in ENTRIES
    ]
    assert found == []


def test_what_python_reads_is_raw_facts_or_a_mart() -> None:
    """No query of a room, but of the build itself, names an intermediate view or their schema."""
    stems = [path.stem for path in (ROOT / "dbt/models/intermediate").rglob("*.sql")]
    assert len(stems) > 40
    inside = re.compile(rf"(?<!drop table if exists )\bintermediate\.\w|\b({'|'.join(stems)})\b")
    assert inside.search("select * from intermediate.int_calibration_pair")
    found = {
        str(file.relative_to(ROOT)): match[0]
        for room in ("models", "warehouse", "ingest", "runners")
        for file in (ROOT / room).rglob("*")
        if file.suffix in (".py", ".sql")
        and file.parent != ROOT / "warehouse/store/growth"
        and (match := inside.search(file.read_text(encoding="utf-8")))
    }
    assert found == {}
