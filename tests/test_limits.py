"""What a reader can hold: the sizes of files, functions and folders, over the whole repository."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.data import ROOT

ROOMS = ("models", "warehouse", "ingest", "runners", "dbt", "tests")
MOST_LINES, MOST_LINES_OF_A_FUNCTION, MOST_PARAMETERS, MOST_FILES = 400, 60, 8, 12
# Folders with one file for each entry of a registry, or whose files are written from the code.
REGISTRIES = {
    "ingest/datasets",
    "ingest/claims",
    "ingest/imports",
    "ingest/datasets/starter_problems",
    "runners/cli/commands",
    "runners/tasks/prompts",
    "warehouse/reports/plots",
    "dbt/models/staging",
    "warehouse/migrations_sql",
    "tests/dbt/golden",
    *(f"tests/hostile/{kind.name}" for kind in (ROOT / "tests" / "hostile").iterdir()),
}
ASIDE = {"__pycache__", "target", "logs", ".hypothesis"}


def files(pattern: str) -> Iterator[Path]:
    """Yield the files of all rooms, by their places in the repository."""
    for room in ROOMS:
        for path in (ROOT / room).rglob(pattern):
            place = path.relative_to(ROOT)
            if path.is_file() and not ASIDE & set(place.parts):
                yield place


def parameters_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the parameters that a caller fills in: ``self`` and ``cls`` are none."""
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def too_large(place: Path, source: str) -> Iterator[str]:
    """Name what is over a limit in a Python file."""
    n_lines = len(source.splitlines())
    if n_lines > MOST_LINES:
        yield f"{place}: {n_lines} lines"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            n_lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if n_lines > MOST_LINES_OF_A_FUNCTION:
                yield f"{place}: {node.name} has {n_lines} lines"
            if parameters_of(node) > MOST_PARAMETERS:
                yield f"{place}: {node.name} has {parameters_of(node)} parameters"


def test_no_file_and_no_function_is_too_large() -> None:
    places = list(files("*.py"))
    assert len(places) > 500
    found = [line for place in places for line in too_large(place, (ROOT / place).read_text())]
    assert found == []


def test_what_is_too_large_is_named() -> None:
    many = ", ".join(f"p{n}" for n in range(9))
    body = "    pass\n" * 60
    source = f"class A:\n    def m(self, {many[4:]}): ...\ndef f({many}): ...\ndef g():\n{body}"
    assert list(too_large(Path("a.py"), source)) == [
        "a.py: f has 9 parameters",
        "a.py: g has 61 lines",
    ]
    assert list(too_large(Path("a.py"), "\n" * 401)) == ["a.py: 401 lines"]


def test_no_folder_holds_too_many_files() -> None:
    counts = Counter(place.parent.as_posix() for place in files("*") if place.name != "__init__.py")
    assert counts["runners/steps"] > 5
    full = {folder for folder, n in counts.items() if n > MOST_FILES}
    assert full - REGISTRIES == set()
