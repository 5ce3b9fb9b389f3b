"""One program judged two ways: split from its tests, and in one interpreter with them.

Untrusted code runs in the sandbox both times. The second way hands ``one_interpreter.py`` to it as
a whole program, so the two share the confinement and nothing else.
"""

import ast
import base64
import json
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ingest.problems.drafts import ProblemDraft
from models.plain import codec
from models.words import SCRIPT, SPLIT, TIMEOUT
from runners.judging.references import make_suite
from runners.judging.sandbox import compare
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import OUTPUTS, Job, Limits, Result, Suite
from tests.support.problems import stored_problem
from warehouse.facts.problems import StoredInput

LIMITS = Limits(cpu_s=3.0, wall_s=60.0, output_kb=60 * 1024)
LONG = Limits(cpu_s=240.0, wall_s=900.0, output_kb=60 * 1024)
ORACLE = Path(__file__).with_name("one_interpreter.py").read_text(encoding="utf-8")
COMPARE = Path(compare.__file__).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Tests:
    """The tests of one problem, in the forms that the two ways need."""

    __test__ = False  # not a pytest class

    draft: ProblemDraft
    key: str
    expected: tuple[str | None, ...] | None = None  # of input-output tests: None, not comparable

    @property
    def reference(self) -> str:
        """The problem's own solution as a whole program."""
        return self.draft.prompt + self.draft.reference + self.draft.suffix

    @cached_property
    def suite(self) -> Suite:
        """The tests as the judge has them."""
        return self.suite_of(None)

    def suite_of(self, only: int | None) -> Suite:
        """The tests as the judge has them, or one input-output test by itself."""
        draft, key = self.draft, self.key
        tests = [StoredInput(key, test.kind, test.body) for test in draft.tests]
        if only is not None:
            tests, key = [tests[only]], f"{key} {only}"
        outputs = list(self.expected) if self.expected is not None else None
        return make_suite(stored_problem(draft, key), tests, outputs)

    def answered(self, expected: Iterable[str | None]) -> "Tests":
        """The same tests with the encoded outputs that are expected."""
        return replace(self, expected=tuple(expected))

    def task(self, program: str) -> str:
        """The tests and one program as the oracle reads them."""
        draft = self.draft
        task: dict[str, object] = {"program": program, "entry_point": draft.entry_point}
        if draft.test_code is not None:
            body = ast.parse(draft.test_code).body
            task |= {"setup": draft.setup_code, "tests": draft.test_code}
            task["calls_check"] = any(
                isinstance(node, ast.FunctionDef) and node.name == "check" for node in body
            )
        else:
            inputs = [codec.decode(text) for text in self.suite.inputs]
            task |= {"reference": self.reference, "compare_source": COMPARE}
            task |= {"compare": draft.compare, "atol": draft.atol}
            task["inputs"] = base64.b64encode(pickle.dumps(inputs)).decode()
        return json.dumps(task)


@dataclass(frozen=True)
class TriedProgram:
    """One program to be judged both ways."""

    key: str
    source: str
    tests: Tests
    limits: Limits = LIMITS


@dataclass(frozen=True)
class WayVerdict:
    """What one way says of a program."""

    verdict: str
    message: str

    def __str__(self) -> str:
        return f"{self.verdict} ({self.message})" if self.message else self.verdict


@dataclass(frozen=True)
class Disagreement:
    """A program of which the two ways say different things."""

    program: TriedProgram
    split: WayVerdict
    one: WayVerdict

    def __str__(self) -> str:
        return f"{self.program.key}: split {self.split}; one interpreter {self.one}"


def disagreements(pool: Pool, programs: Iterable[TriedProgram]) -> list[Disagreement]:
    """Judge all programs both ways; return those that get another verdict.

    Where only time may tell them apart, both are judged again under the long limits.
    """
    listed = list(programs)
    found = _compared(listed, split(pool, listed), together(pool, listed))
    late = [each.program for each in found if TIMEOUT in (each.split.verdict, each.one.verdict)]
    longer = [replace(program, limits=LONG) for program in late]
    again = _compared(longer, split(pool, longer), together(pool, longer))
    return [*(each for each in found if each.program not in late), *again]


def split(pool: Pool, programs: Iterable[TriedProgram]) -> dict[str, WayVerdict]:
    """Judge programs as Assay does, by key."""
    jobs = (Job(each.key, each.source, each.tests.suite, each.limits, SPLIT) for each in programs)
    return {
        result.key: WayVerdict(result.verdict, result.message or "") for result in pool.run(jobs)
    }


def together(pool: Pool, programs: Iterable[TriedProgram]) -> dict[str, WayVerdict]:
    """Judge programs in one interpreter with their tests, by key."""
    return {result.key: _told(result) for result in pool.run(_oracle_jobs(programs))}


def _oracle_jobs(programs: Iterable[TriedProgram]) -> Iterable[Job]:
    for each in programs:
        given = codec.encode([each.tests.task(each.source)])
        suite = Suite(f"oracle {each.key}", SCRIPT, "", None, (given,), None, "stdout", 0.0)
        yield Job(each.key, ORACLE, suite, each.limits, OUTPUTS)


def _told(result: Result) -> WayVerdict:
    if result.outputs is None:
        return WayVerdict(result.verdict, result.message or "")
    verdict, message = json.loads(codec.decode(result.outputs[0]))
    return WayVerdict(verdict, message)


def _compared(
    programs: Iterable[TriedProgram], one: Mapping[str, WayVerdict], other: Mapping[str, WayVerdict]
) -> list[Disagreement]:
    return [
        Disagreement(each, one[each.key], other[each.key])
        for each in programs
        if one[each.key].verdict != other[each.key].verdict
    ]
