"""A row of ours as a problem: the keys it may have, and the ways of putting its tests.

A row has one way of giving code, and one of giving tests; ``docs/own_datasets.md`` has an example
of each. What the tests and the reference import must be in Python's library, or be named.
"""

import ast
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ingest.answers.synthesis import module_docstring, recast
from ingest.fields import Fields
from ingest.files import kind_of
from ingest.manifests.expressions import call_arguments
from ingest.manifests.requirements import NEEDS, needed_packages, requirements_of
from ingest.manifests.unittests import method_asserts
from ingest.parsing import parse, top_function, unix_lines
from ingest.problems.asserts import assert_sources
from ingest.problems.drafts import ProblemDraft, TestDraft
from ingest.problems.programs import MAX_PROBLEM_TEXT_BYTES
from models.plain.codec import encode
from models.words import SCRIPT, STDOUT_COMPARISONS, VALUE_COMPARISONS
from warehouse.errors import known_names

TESTS = ("asserts", "test_code", "unittest", "inputs", "stdin")
"""The keys of which each is a way of putting tests."""

KEYS = (
    *("task_id", "prompt", "reference", "suffix", "description", "solution", "entry_point"),
    *TESTS,
    *("outputs", "plus_inputs", "plus_outputs", "stdout", "setup_code", "compare", "atol"),
    *("difficulty", "tags", "requirements"),
)
"""All keys of a row."""

UNFIT_BESIDE = {"prompt": ("solution",), "description": ("reference", "suffix")}
"""The two ways to give code, and the keys that do not go with each."""


def problem_of(row: Fields, requirements: Mapping[str, str]) -> ProblemDraft:
    """Return the problem of a row that has our keys; raises BadInput for what does not fit.

    ``requirements`` are packages by the name under which they are imported.
    """
    way = _one_of(row, TESTS, "tests")
    entry_point = SCRIPT if way == "stdin" else row.text("entry_point")
    if way == "stdin" and row.optional_text("entry_point") not in (None, SCRIPT):
        raise row.bad("a program that reads standard input has no entry_point: leave it out")
    prompt, reference, suffix = _code(row, entry_point)
    test_code, tests = _tests(row, way)
    setup_code = unix_lines(row.optional_text("setup_code") or "")
    known = {**requirements, **requirements_of(row)}
    sources = {"code": prompt + reference + suffix, "setup_code": setup_code}
    sources |= {"tests": test_code or ""}
    needed = needed_packages(row, sources, known)
    return ProblemDraft(
        task_id=_name(row),
        entry_point=entry_point,
        prompt=prompt,
        reference=reference,
        suffix=suffix,
        setup_code=setup_code,
        test_code=test_code,
        tests=tests,
        compare=_compare(row, way),
        atol=row.optional_amount("atol") or 0.0,
        difficulty=row.optional_text("difficulty"),
        tags=(*_tags(row), *sorted(f"{NEEDS}{package}" for package in needed)),
        row=row.row,
    )


def _one_of(row: Fields, names: tuple[str, ...], what: str) -> str:
    found = [name for name in names if name in row.values]
    if len(found) == 1:
        return found[0]
    if found:
        raise row.bad(f"the {what} are given twice: by {' and by '.join(map(repr, found))}")
    raise row.bad(f"there are no {what}: give one of {', '.join(names)}")


def _name(row: Fields) -> str:
    value = row.required("task_id")
    name = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    name = row.check_text(name, "task_id")
    if not name or name != name.strip() or not name.isprintable():
        raise row.bad(f"the task_id {name!r} is no name")
    return name


def _code(row: Fields, entry_point: str) -> tuple[str, str, str]:
    """Return prompt, reference and suffix: as they are, or made of description and solution."""
    given = [key for key in UNFIT_BESIDE if key in row.values]
    if len(given) != 1:
        raise row.bad("give 'prompt' (code to be continued) or 'description' (words), one of both")
    wrong = [name for name in UNFIT_BESIDE[given[0]] if name in row.values]
    if wrong:
        raise row.bad(f"{wrong[0]!r} does not go with {given[0]!r}")
    if "prompt" in row.values:
        reference = row.optional_text("reference") or ""
        return row.text("prompt"), reference, row.optional_text("suffix") or ""
    description = unix_lines(row.text("description"))
    solution = unix_lines(row.text("solution")).rstrip() + "\n"
    try:
        function = top_function(parse(solution), entry_point)
        if function is not None and isinstance(function, ast.FunctionDef):
            parts = recast(solution, entry_point, description)
            return parts.prompt, parts.reference, parts.suffix
    except (SyntaxError, ValueError, RecursionError) as error:
        raise row.bad(f"the solution: {error}") from error
    return module_docstring(description.strip("\n")), solution, ""


def _tests(row: Fields, way: str) -> tuple[str | None, tuple[TestDraft, ...]]:
    """Return the module of the tests, where they are asserts, and the tests."""
    beside = {"inputs": ("outputs", "plus_inputs", "plus_outputs"), "stdin": ("stdout",)}
    for key in (key for keys in beside.values() for key in keys):
        if key in row.values and key not in beside.get(way, ()):
            raise row.bad(f"{key!r} does not go with tests that are given by {way!r}")
    if way == "stdin":
        return None, tuple(_runs(row))
    if way == "inputs":
        given = [*_calls(row, "inputs", "outputs", "base")]
        given += _calls(row, "plus_inputs", "plus_outputs", "plus")
        kinds = sorted({test.kind for test in given})
        if len(kinds) > 1:
            raise row.bad("one of 'outputs' and 'plus_outputs' is missing: give both or neither")
        return None, tuple(given)
    try:
        if way == "asserts":
            code = "".join(f"{unix_lines(each).strip()}\n" for each in row.texts("asserts"))
        else:
            code = unix_lines(row.text(way, limit=MAX_PROBLEM_TEXT_BYTES))
            code = method_asserts(code) if way == "unittest" else code
        sources = assert_sources(code)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise row.bad(f"the tests: {error}") from error
    return code, tuple(TestDraft("base", "assert", source) for source in sources)


def _runs(row: Fields) -> Iterator[TestDraft]:
    """Yield a test for each text that a program reads; a text alone is one run."""
    sides = []
    for key in ("stdin", "stdout"):
        value = row.required(key)
        texts = [value] if isinstance(value, str) else row.texts(key)
        sides.append([row.check_text(text, key, limit=MAX_PROBLEM_TEXT_BYTES) for text in texts])
    given, printed = sides
    if len(given) != len(printed):
        raise row.bad(f"there are {len(given)} texts in 'stdin' and {len(printed)} in 'stdout'")
    for pair in zip(given, printed, strict=True):
        yield TestDraft("base", "stdio", encode(list(pair)))


def _calls(row: Fields, inputs: str, outputs: str, suite: str) -> Iterator[TestDraft]:
    """Yield a test for each list of arguments, with its output where outputs are given."""
    given = _listed(row, inputs)
    wanted = _listed(row, outputs) if outputs in row.values else None
    if wanted is not None and len(wanted) != len(given):
        raise row.bad(f"there are {len(given)} in {inputs!r} and {len(wanted)} in {outputs!r}")
    for number, arguments in enumerate(given):
        try:
            if isinstance(arguments, str):
                arguments = call_arguments(arguments)
            if not isinstance(arguments, list):
                raise ValueError(f"{kind_of(arguments)}, expected a list of arguments")
            if wanted is None:
                yield TestDraft(suite, "io", encode(arguments))
            else:
                yield TestDraft(suite, "call", encode([arguments, wanted[number]]))
        except (TypeError, ValueError, RecursionError) as error:
            raise row.bad(f"{inputs}[{number}]: {error}") from error


def _listed(row: Fields, key: str) -> list[Any]:
    """Return a list, which CSV holds as JSON; an absent one, and an empty object, are empty."""
    value = row.values.get(key)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise row.bad(f"the field {key!r} is neither a list nor JSON: {error}") from error
    if value is None or value == {}:
        return []
    if not isinstance(value, list):
        raise row.bad(f"the field {key!r} is {kind_of(value)}, expected a list")
    return value


def _compare(row: Fields, way: str) -> str:
    choices = STDOUT_COMPARISONS if way == "stdin" else VALUE_COMPARISONS
    found = row.optional_text("compare") or choices[0]
    if found not in choices:
        raise row.bad(f"there is no comparison {found!r}{known_names(found, choices)}")
    return found


def _tags(row: Fields) -> list[str]:
    tags = _listed(row, "tags")
    return [row.check_text(tag, f"tags[{number}]") for number, tag in enumerate(tags)]
