"""MBPP+ v0.2.0: 378 MBPP tasks with about 35 times the tests (Liu et al. 2023, arXiv 2305.01210).

JSON has neither tuples nor sets nor complex numbers, so some tasks' inputs are rebuilt. Some tasks
are judged by special rules. Both are as EvalPlus 0.3.1 does it, found by reading it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ingest.datasets.evalplus_tasks import HARNESS_CPU_S, HARNESS_TEST_CPU_S, problem_of
from ingest.fields import Fields, json_objects
from ingest.problems.dataset import Dataset
from ingest.problems.drafts import ProblemDraft, Source
from ingest.problems.programs import PROGRAMS

SOURCE = Source(
    dataset="mbpp_plus",
    version="dadf43d",
    license="Apache-2.0",
    url="https://raw.githubusercontent.com/evalplus/mbppplus_release/"
    "dadf43da556a00f7bacd71cb154f2932757d9144/MbppPlus.jsonl.gz",
    sha256="af43697e8791c4c149bdfd6b489d8b5412507551ac20e28a439f650b8225db63",
    cpu_s=HARNESS_CPU_S,
    test_cpu_s=HARNESS_TEST_CPU_S,
)


def read(path: Path) -> Iterator[ProblemDraft]:
    """Yield the tasks with base and plus inputs, rebuilt; the input contracts are not used."""
    for task in json_objects(path):
        number = _number(task)
        yield problem_of(
            task,
            compare=COMPARE.get(number, "evalplus"),
            rebuild=REBUILD.get(number, _as_they_are),
        )


def _number(task: Fields) -> int:
    task_id = task.text("task_id")
    digits = task_id.rpartition("/")[2]
    if not digits.isdecimal():
        raise task.bad(f"the task id {task_id!r} has no number")
    return int(digits)


def _as_they_are(args: list[Any]) -> list[Any]:
    return args


def _each_tuple(args: list[Any]) -> list[Any]:
    return [tuple(arg) for arg in args]


def _lists_of_tuples(args: list[Any]) -> list[Any]:
    return [[tuple(item) for item in arg] for arg in args]


def _tuples_of_tuples(args: list[Any]) -> list[Any]:
    return [tuple(tuple(item) for item in arg) for arg in args]


def _first_tuple(args: list[Any]) -> list[Any]:
    return [tuple(args[0]), *args[1:]]


def _second_tuple(args: list[Any]) -> list[Any]:
    return [args[0], tuple(args[1])]


def _first_list_of_tuples(args: list[Any]) -> list[Any]:
    return [[tuple(item) for item in args[0]], args[1]]


def _first_list_of_sets(args: list[Any]) -> list[Any]:
    # an empty one becomes an empty dict, as in EvalPlus
    return [[set(item) if isinstance(item, list) and item else {} for item in args[0]]]


def _tuple_of_mixed(args: list[Any]) -> list[Any]:
    return [tuple(tuple(item) if isinstance(item, list) else item for item in args[0])]


def _first_dict_of_tuples(args: list[Any]) -> list[Any]:
    return [{key: tuple(item) for key, item in args[0].items()}, *args[1:]]


def _float_and_complex(args: list[Any]) -> list[Any]:
    return [float(args[0]), complex(args[1])]


def _one_complex(args: list[Any]) -> list[Any]:
    return [complex(args[0])]


def _all_tuples(args: list[Any]) -> list[Any]:
    return [_deep_tuple(arg) for arg in args]


def _deep_tuple(value: Any) -> Any:
    return tuple(_deep_tuple(item) for item in value) if isinstance(value, list) else value


_KINDS: list[tuple[Callable[[list[Any]], list[Any]], str]] = [
    (
        _each_tuple,
        "2 116 132 143 222 261 273 394 399 421 424 429 470 560 579 596 616 630 726 740 744 809",
    ),
    (_lists_of_tuples, "63 64 70 94 120 237 272 299 400 409 417 438 473 614 780"),
    (_tuples_of_tuples, "259 401 445"),
    (_first_list_of_tuples, "75 413 444 753"),
    (_first_tuple, "250 307 405 446 617 720 763 808"),
    (_second_tuple, "106 750"),
    (_all_tuples, "580 615 791"),
    (_first_list_of_sets, "115"),
    (_float_and_complex, "124"),
    (_one_complex, "252"),
    (_tuple_of_mixed, "278"),
    (_first_dict_of_tuples, "722"),
]

REBUILD = {int(number): rebuild for rebuild, numbers in _KINDS for number in numbers.split()}
"""Functions that rebuild the arguments of a task from JSON, by task number."""

COMPARE = {
    **dict.fromkeys((2, 7, 111, 140, 232, 249, 579, 769), "set"),
    **dict.fromkeys((737, 787, 794), "not_none"),
    164: "any",
    295: "or_zero",
    558: "digit_distance",
    581: "surface_area",
}
"""Comparisons for tasks where equality within a tolerance would be unfair, by number."""


DATASET = Dataset(SOURCE, PROGRAMS, read)
