"""CodeContests: contest problems solved by whole programs (Li et al. 2022, arXiv 2203.07814).

Read is the layout in which it is distributed, as JSON Lines, packed or not, or Parquet; one split
or a folder of files. Where a field holds several columns (the tests, the solutions), an object of
lists and a list of objects are the same. Which solution serves is decided without running any:
whether it passes is measured by ``assay execute``, which rejects a problem whose reference fails.

As in the makers' own harness, printed text is compared without regard to case and with a tolerance
for decimal numbers. A program has 10 s of CPU for each test. The tolerance is 1e-6, as for all
floats here; the makers' harness allows 1e-5 (docs/decisions/0012-standard-input.md).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.answers.synthesis import module_docstring
from ingest.datasets.contest_tasks import LeftOut, problems_of, program_of
from ingest.fields import Fields
from ingest.files import files_under, json_lines, kind_of
from ingest.manifests.rows import parquet_rows
from ingest.parsing import unix_lines
from ingest.problems.dataset import Dataset
from ingest.problems.drafts import ProblemDraft, Release, Source, TestDraft
from ingest.problems.programs import PROGRAMS
from models.plain.codec import encode
from models.words import SCRIPT

SOURCE = Source(
    dataset="codecontests",
    version="2",
    license="CC-BY-4.0",
    url="https://github.com/google-deepmind/code_contests",
    sha256=None,
    local="a split of deepmind/code_contests as .jsonl, .jsonl.gz or .parquet, or a folder of them",
    may_be_folder=True,
    cpu_s=300.0,
    test_cpu_s=10.0,
)

LANGUAGES = ("UNKNOWN_LANGUAGE", "PYTHON", "CPP", "PYTHON3", "JAVA")
"""Languages by their number in the release; PYTHON is Python 2."""

SUITES = {"public_tests": "base", "private_tests": "plus", "generated_tests": "plus"}
MAX_TEST_BYTES = 10_000_000


def read(path: Path) -> Release:
    """Return the problems that have tests and a Python 3 solution, the first one that parses.

    The prompt is the description as the module's docstring. Left out and counted are problems
    without tests, without a description, and problems that read or write files. Also those without
    a solution that serves: none in Python, in Python 2 only, or none that parses.
    """
    drafts, left_out = problems_of(_rows(path), _problem, path)
    return Release(drafts, left_out)


def _problem(row: Fields) -> ProblemDraft:
    name = row.text("name")
    description = unix_lines(row.text("description")).strip("\n")
    tests = tuple(
        TestDraft(suite, "stdio", encode([given, printed]))
        for field, suite in SUITES.items()
        for given, printed in _tests(row, field)
    )
    solutions = _solutions(row)
    if row.optional_text("input_file") or row.optional_text("output_file"):
        raise LeftOut("reads_files")
    if not tests:
        raise LeftOut("no_tests")
    if not description.strip():
        raise LeftOut("no_description")
    prompt = module_docstring(description)
    return ProblemDraft(
        task_id=name,
        entry_point=SCRIPT,
        prompt=prompt,
        reference=_reference(prompt, solutions),
        tests=tests,
        compare="stdout_loose",
        row=row.row,
    )


def _reference(prompt: str, solutions: list[tuple[str, str]]) -> str:
    """Return the first solution that Python 3 can read, or raise LeftOut."""
    languages = {language for language, _ in solutions}
    if "PYTHON3" not in languages:
        raise LeftOut("python2_only" if "PYTHON" in languages else "no_python_solution")
    for language, text in solutions:
        source = unix_lines(text).removeprefix("\ufeff").rstrip() + "\n"
        if language == "PYTHON3" and program_of(prompt + source):
            return source
    raise LeftOut("syntax")


def _tests(row: Fields, field: str) -> Iterator[tuple[str, str]]:
    for n, (given, printed) in enumerate(_columns(row, field, "input", "output")):
        yield (
            row.check_text(given, f"{field}.input[{n}]", limit=MAX_TEST_BYTES),
            row.check_text(printed, f"{field}.output[{n}]", limit=MAX_TEST_BYTES),
        )


def _solutions(row: Fields) -> list[tuple[str, str]]:
    found = []
    for n, (language, text) in enumerate(_columns(row, "solutions", "language", "solution")):
        if isinstance(language, int) and 0 <= language < len(LANGUAGES):
            language = LANGUAGES[language]
        if language not in LANGUAGES:
            raise row.bad(f"solutions.language[{n}] is {language!r}, not one of {LANGUAGES}")
        if not isinstance(text, str):
            raise row.bad(f"solutions.solution[{n}] is {kind_of(text)}, expected a string")
        found.append((language, text))
    return found


def _columns(row: Fields, field: str, first: str, second: str) -> list[tuple[Any, Any]]:
    """Return the pairs of a field that is an object of two lists, or a list of objects, or null."""
    value = row.required(field)
    if value is None:
        return []
    if isinstance(value, list):
        for n, one in enumerate(value):
            if not isinstance(one, dict) or not {first, second} <= set(one):
                raise row.bad(f"{field}[{n}] is not an object with {first!r} and {second!r}")
        return [(one[first], one[second]) for one in value]
    if not isinstance(value, dict):
        raise row.bad(f"the field {field!r} is {kind_of(value)}, expected an object of lists")
    left, right = value.get(first), value.get(second)
    if not isinstance(left, list) or not isinstance(right, list):
        raise row.bad(f"the field {field!r} lacks a list {first!r} or {second!r}")
    if len(left) != len(right):
        counts = f"{len(left)} in {first!r}, {len(right)} in {second!r}"
        raise row.bad(f"the field {field!r} has {counts}")
    return list(zip(left, right, strict=True))


def _rows(path: Path) -> Iterator[Fields]:
    folder = path if path.is_dir() else None
    for file in files_under(path) if folder else [path]:
        inside = f"{file.relative_to(path).as_posix()}:" if folder else ""
        if file.suffix == ".parquet":
            names = ["name", "description", "solutions", *SUITES, "input_file", "output_file"]
            found = parquet_rows(file, below=folder, names=names)
        else:
            found = json_lines(file, below=folder)
        for number, values in found:
            yield Fields(values, path, f"{inside}{number}" if inside else number)


DATASET = Dataset(SOURCE, PROGRAMS, read)
