"""APPS: programs that read standard input, and functions that are called (Hendrycks et al. 2021).

The paper is arXiv 2105.09938. Three layouts are read, alone or in one folder:

- as released: a folder per problem, with ``question.txt``, ``input_output.json``,
  ``solutions.json``, ``metadata.json`` and ``starter_code.py``;
- JSON Lines with the fields of the data set codeparrot/apps; there ``input_output`` and
  ``solutions`` are JSON as text;
- MapCoder's 150 problems (Islam et al. 2024, arXiv 2405.11403), with ``test_list``. All of them
  are programs here: MapCoder joined the arguments of a function to lines of standard input. An
  expected output that is no text is what ``print`` makes of it.

Where a row has no solution that compiles, its problem has no reference. A lookup of the expected
outputs admits it: see ``runners.judging.references``.

How outputs compare in the harness of APPS (``eval/testing_util.py``), and here:

=====================  =================================  ======================================
what                   APPS                               here
=====================  =================================  ======================================
printed white space    stripped, blank lines left out     ignored between words
printed numbers        ``np.allclose``, a line a number   decimals within 1e-6 (``stdout_floats``)
printed words          also right: equal sets, by line    same words in the same order
letter case            counts                             counts
returned tuple         is a list, two levels deep         is a list, at any depth
returned float         exact                              within 1e-6, alone or in a flat list
``[x]`` expected       ``x`` or ``[x]`` is right          the same (``json_value``)
``[x, y]`` expected    ``x`` is right too                 only ``[x, y]`` is
number as text         differs from the number            the same
keys of a dict         text keys become whole numbers     compared as text
argument, one dict     text keys become whole numbers     the same
time of a test         4 s on the wall                    4 s of CPU, more by some policies
imported names         imports before every program       before a completion of a function
``return`` outside     ends the program                   is a syntax error
=====================  =================================  ======================================

NumPy is among the imports of APPS. Here programs can import the standard library alone.
A function may also be a method of ``class Solution``; one instance serves all calls, as in APPS.
"""

import json
import keyword
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from ingest.answers.synthesis import module_docstring
from ingest.datasets.contest_tasks import LeftOut, problems_of, program_of
from ingest.fields import Fields
from ingest.files import MAX_LINE_BYTES, files_under, json_lines, kind_of, utf8_text
from ingest.parsing import compiles, unix_lines
from ingest.problems.dataset import Dataset
from ingest.problems.drafts import ProblemDraft, Release, Source, TestDraft
from ingest.problems.programs import PROGRAMS, defined, method_setup
from models.keys import content_key
from models.plain.codec import TooLarge, decode, encode
from models.words import SCRIPT

SOURCE = Source(
    dataset="apps",
    version="1",
    license="MIT",
    url="https://github.com/hendrycks/apps",
    sha256=None,
    local="a split of APPS as released (a folder), codeparrot/apps as .jsonl or .jsonl.gz, or "
    "MapCoder's selected150.jsonl",
    may_be_folder=True,
    cpu_s=300.0,
    test_cpu_s=4.0,
)

SPLITS = ("train", "test")
MAX_TEST_BYTES = 10_000_000
QUESTION, TESTS, SOLUTIONS = "question.txt", "input_output.json", "solutions.json"
STARTER, METADATA = "starter_code.py", "metadata.json"

IMPORTS = """\
import collections, fractions, heapq, itertools, math, random, sys, time
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from functools import lru_cache
from heapq import heapify, heappop, heappush, heappushpop, heapreplace, merge, nlargest, nsmallest
from itertools import accumulate, combinations, permutations, product
from math import ceil, cos, exp, fabs, floor, gcd, log, log2, sin, sqrt, tan
from typing import List, Tuple
"""
"""What the harness of APPS imports before a program, NumPy left out."""

FROM_INPUT = (
    "Read the arguments from standard input, one a line, and print what the function returns."
)


def read(path: Path) -> Release:
    """Return the problems of a split, or of what a folder holds; names are ``apps/train/1``.

    A name says the split where a file or folder is named after it. Rows are left out and counted
    by reason: no tests; no description; unreadable tests; unequal numbers of inputs and outputs; a
    test over 10 MB; an invalid function name; null as every expected output; a repeated row.
    """
    drafts, left_out = problems_of(_rows(path), partial(_problem, seen={}), path)
    rewritten = any(FROM_INPUT in draft.prompt for draft in drafts)
    return Release(drafts, left_out, ", functions as programs by MapCoder" if rewritten else "")


def _problem(row: Fields, seen: dict[str, str]) -> ProblemDraft:
    values = row.values
    task_id = "/".join(["apps", *([values["split"]] if values["split"] else []), _number(row)])
    key = content_key(values)
    if seen.get(task_id) == key:
        raise LeftOut("repeated")
    seen[task_id] = key
    is_mapcoder = "test_list" in values
    description = unix_lines(row.text("description" if is_mapcoder else "question")).strip("\n")
    starter = unix_lines(row.optional_text("starter_code") or "").strip()
    function, tests = (None, _listed(row)) if is_mapcoder else _tests(row)
    if not tests:
        raise LeftOut("no_tests")
    if not description.strip():
        raise LeftOut("no_description")
    if function is not None:
        prompt = module_docstring(f"{description}\n\n{starter or f'def {function}'}") + IMPORTS
    elif is_mapcoder and starter:
        prompt = module_docstring(f"{description}\n\n{starter}\n\n{FROM_INPUT}")
    else:
        prompt = module_docstring(description)
    return ProblemDraft(
        task_id=task_id,
        entry_point=function or SCRIPT,
        prompt=prompt,
        reference=_reference(row, prompt, function),
        setup_code=method_setup(function) if function else "",
        tests=tests,
        compare="json_value" if function else "stdout_floats",
        difficulty=row.optional_text("difficulty"),
        row=row.row,
    )


def _number(row: Fields) -> str:
    """Return the name of a problem within its split: a number without zeros before it."""
    for name in ("problem_id", "id"):
        if isinstance(row.values.get(name), int):
            return str(row.optional_count(name))
    name = row.text("problem_id")
    return name.lstrip("0") or "0" if name.isdecimal() else name


def _reference(row: Fields, prompt: str, function: str | None) -> str:
    """Return the first solution that compiles and has the function; an empty text without one."""
    try:
        found = _parsed(row, "solutions") or []
    except (ValueError, RecursionError) as error:
        raise row.bad(f"the field 'solutions' is not JSON: {error}") from error
    if not isinstance(found, list):
        raise row.bad(f"the field 'solutions' is {kind_of(found)}, expected a list")
    for n, text in enumerate(found):
        if not isinstance(text, str):
            raise row.bad(f"solutions[{n}] is {kind_of(text)}, expected a string")
        source = unix_lines(text).removeprefix("\ufeff").rstrip() + "\n"
        tree = program_of(prompt + source)
        if tree is None or not compiles(tree):
            continue
        if function is None or function in defined(tree):
            return source
    return ""


def _tests(row: Fields) -> tuple[str | None, tuple[TestDraft, ...]]:
    """Return the function that is called, None for a program, and the tests."""
    try:
        found = _parsed(row, "input_output")
    except (ValueError, RecursionError) as error:
        raise LeftOut("unreadable_tests") from error
    if not found:
        return None, ()
    if not isinstance(found, dict):
        raise LeftOut("unreadable_tests")
    inputs, outputs = found.get("inputs"), found.get("outputs")
    if not isinstance(inputs, list) or not isinstance(outputs, list):
        raise LeftOut("unreadable_tests")
    if len(inputs) != len(outputs):
        raise LeftOut("unequal_input_output_counts")
    function = found.get("fn_name")
    if function is None:
        pairs = zip(map(_text, inputs), map(_text, outputs), strict=True)
        return None, tuple(_stdio(row, *pair) for pair in pairs)
    if not isinstance(function, str) or not _names_function(function):
        raise LeftOut("invalid_function_name")
    if outputs and all(output in (None, [None]) for output in outputs):
        raise LeftOut("outputs_are_null")  # arguments are changed in place: no answer would fail
    return function, tuple(_call(*pair) for pair in zip(inputs, outputs, strict=True))


def _names_function(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name) and name != SCRIPT


def _listed(row: Fields) -> tuple[TestDraft, ...]:
    """Return the tests of MapCoder's ``test_list``."""
    found = row.required("test_list")
    if not isinstance(found, list):
        raise row.bad(f"the field 'test_list' is {kind_of(found)}, expected a list")
    drafts = []
    for n, test in enumerate(found):
        outputs = test.get("output") if isinstance(test, dict) else None
        if not isinstance(outputs, list) or len(outputs) != 1 or "input" not in test:
            raise row.bad(f"test_list[{n}] is not an object with an 'input' and one 'output'")
        drafts.append(_stdio(row, test["input"], _text(outputs[0], whole=True)))
    return tuple(drafts)


def _stdio(row: Fields, given: Any, printed: str) -> TestDraft:
    pair = {"input": given, "output": printed}
    texts = [row.check_text(text, name, limit=MAX_LINE_BYTES) for name, text in pair.items()]
    return _test("stdio", texts)


def _call(arguments: Any, expected: Any) -> TestDraft:
    if not isinstance(arguments, list):
        raise LeftOut("unreadable_tests")
    if len(arguments) == 1 and isinstance(arguments[0], dict):
        arguments = [_whole_keys(arguments[0])]
    return _test("call", [arguments, expected])


def _test(kind: str, pair: list[Any]) -> TestDraft:
    try:
        body = encode(pair)
        decode(body)  # as whoever judges has to
    except (TypeError, ValueError, RecursionError, TooLarge) as error:
        raise LeftOut("unreadable_tests") from error
    if len(body.encode("utf-8", "surrogatepass")) > MAX_TEST_BYTES:
        raise LeftOut("test_too_long")
    return TestDraft("base", kind, body)


def _text(value: Any, *, whole: bool = False) -> str:
    """Return what a program reads or prints; unless it is ``whole``, a list holds its lines."""
    if isinstance(value, list) and not whole:
        return "\n".join(map(str, value))
    return str(value)


def _whole_keys(value: dict[str, Any]) -> dict[Any, Any]:
    """Return a dict with whole numbers as keys, where all of its keys are; JSON has text only."""
    try:
        return {int(key): item for key, item in value.items()}
    except ValueError:
        return value


def _parsed(row: Fields, name: str) -> Any:
    """Return a field that is JSON as text, or a value already; None where it is absent."""
    value = row.values.get(name)
    if not isinstance(value, str):
        return value
    return json.loads(value) if value.strip() else None


def _rows(path: Path) -> Iterator[Fields]:
    """Yield a row for each problem, whatever its layout, with its split or None."""
    if path.is_file() or not path.is_dir():
        yield from _lines(path, None)
        return
    files = files_under(path)
    present = set(files)
    for file in files:
        if file.name == QUESTION:
            yield _folder(file.parent, path, present)
        elif file.name.endswith((".jsonl", ".jsonl.gz")):
            yield from _lines(file, path)


def _lines(file: Path, folder: Path | None) -> Iterator[Fields]:
    inside = f"{file.relative_to(folder).as_posix()}:" if folder else ""
    split = _split(file.name.partition(".")[0], file, folder)
    for number, values in json_lines(file, below=folder):
        row = f"{inside}{number}" if inside else number
        yield Fields({**values, "split": split}, folder or file, row)


def _folder(folder: Path, root: Path, present: set[Path]) -> Fields:
    def text(name: str) -> str:
        file = folder / name
        return utf8_text(file, below=root, limit=MAX_LINE_BYTES) if file in present else ""

    place = Fields({}, root, folder.relative_to(root).as_posix())
    try:
        about = json.loads(text(METADATA) or "{}")
    except (ValueError, RecursionError) as error:
        raise place.bad(f"{METADATA} is not JSON: {error}") from error
    if not isinstance(about, dict):
        raise place.bad(f"{METADATA} is {kind_of(about)}, expected an object")
    values = {
        "problem_id": folder.name,
        "split": _split(folder.name, folder, root),
        "question": text(QUESTION),
        "input_output": text(TESTS),
        "solutions": text(SOLUTIONS),
        "starter_code": text(STARTER),
        "difficulty": about.get("difficulty"),
    }
    return Fields(values, root, place.row)


def _split(name: str, place: Path, root: Path | None) -> str | None:
    """Return the split that a file, or the nearest folder of those that were given, is named."""
    inside = place.relative_to(root).parts[:-1] if root else ()
    names = [name, *reversed(inside), *([root.name] if root else [])]
    return next((each for each in names if each in SPLITS), None)


DATASET = Dataset(SOURCE, PROGRAMS, read)
