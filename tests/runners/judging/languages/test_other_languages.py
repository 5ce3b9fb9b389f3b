"""Programs of other languages behind the walls: right, wrong and hostile ones, and references."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.datasets import DATASETS
from models.words import LANGUAGES, PASSED, PYTHON, SAME_INTERPRETER
from runners.judging.languages import OTHER_LANGUAGES
from runners.judging.languages.pool import not_here
from runners.judging.languages.programs import Programs
from runners.judging.sandbox.types import Job, Limits, Result, Suite
from tests.data import shared
from tests.runners.judging.languages import hostile

pytestmark = pytest.mark.long

SHORT = {"javascript": "js", "java": "java", "cpp": "cpp", "rust": "rust"}
FAILING = {
    "JavaScript/112": "its answer has no boolean, which its tests want",
    "Rust/32": "its tests are a comment",
    "JavaScript/155": "it counts no digit in 0, its tests count one",
}
"""References that their own tests refuse, with node alone too."""


@pytest.fixture(params=[name for name in LANGUAGES if name != PYTHON])
def language(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    reason = not_here(f"humaneval_x_{SHORT[name]}", "auto")
    if reason is not None:
        pytest.skip(reason)
    return name


def judged(language: str, sources: dict[str, str], tests: dict[str, str]) -> Iterator[Result]:
    limits = Limits(cpu_s=3.0, wall_s=12.0, memory_mb=1024)
    for name, source in sources.items():
        suite = Suite(name, "f", "", tests[name], (), None, "exact", 0.0, language=language)
        yield from Programs(2, "ns+seccomp").run(
            [Job(name, source, suite, limits, SAME_INTERPRETER)]
        )


def verdicts(
    language: str, programs: dict[str, tuple[str, str]], place: str = ""
) -> dict[str, str]:
    sources = {name: hostile.source(language, parts, place) for name, parts in programs.items()}
    tests = dict.fromkeys(sources, hostile.TESTS[language])
    found = {result.key: result for result in judged(language, sources, tests)}
    print({name: (each.verdict, each.message) for name, each in found.items()})
    return {name: each.verdict for name, each in found.items()}


def test_every_language_has_its_place() -> None:
    assert set(OTHER_LANGUAGES) == set(LANGUAGES) - {PYTHON} == set(SHORT)
    for name, language in OTHER_LANGUAGES.load_all(OTHER_LANGUAGES):
        assert language.name == name
        assert DATASETS.load(f"humaneval_x_{SHORT[name]}").kind.language == name


def test_right_wrong_and_broken_programs(language: str) -> None:
    programs = {
        "right": hostile.RIGHT[language],
        "wrong": hostile.WRONG[language],
        "broken": hostile.BROKEN[language],
    }
    found = verdicts(language, programs)
    assert found == {"right": PASSED, "wrong": "failed", "broken": "error"}


def test_no_forgery_passes(language: str) -> None:
    found = verdicts(language, hostile.FORGERIES[language])
    assert PASSED not in found.values()
    assert "harness_fault" not in found.values()


def test_limits_hold(language: str) -> None:
    programs = {
        "loop": hostile.LOOPS[language],
        "sleep": hostile.SLEEPS[language],
        "memory": hostile.MEMORY[language],
    }
    found = verdicts(language, programs)
    assert found == {"loop": "timeout", "sleep": "timeout", "memory": "out_of_memory"}


def test_nothing_outside_is_reached(language: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x")
    secret.chmod(0o666)
    programs = {
        "forks": hostile.FORKS[language],
        "reads": hostile.READS[language],
        "writes": hostile.WRITES[language],
        "connects": hostile.CONNECTS[language],
    }
    assert set(verdicts(language, programs, str(secret)).values()) == {"failed"}
    inside = {"reads": hostile.READS[language]}
    assert verdicts(language, inside, "/etc/passwd") == {"reads": "failed"}
    writes = {"writes": hostile.WRITES[language]}
    assert verdicts(language, writes, "/usr/lib/x") == {"writes": "failed"}
    assert secret.read_text() == "x"


def test_the_deeds_work_where_nothing_forbids_them(language: str) -> None:
    """Files of the own folder can be written and read: the programs above do what they say."""
    programs = {"writes": hostile.WRITES[language]}
    assert verdicts(language, programs, "/tmp/work/mine") == {"writes": PASSED}


def rows(language: str) -> list[dict[str, str]]:
    path = shared(f"datasets/humaneval_x/humaneval_{SHORT[language]}.jsonl.gz")
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


def failing(language: str) -> set[str]:
    return {name for name in FAILING if name.partition("/")[0].lower() == language}


def passing(language: str, wanted: list[dict[str, str]]) -> set[str]:
    sources, tests = {}, {}
    for row in wanted:
        declared = row["declaration"] if language == "rust" else ""
        sources[row["task_id"]] = row["prompt"] + declared + row["canonical_solution"]
        tests[row["task_id"]] = row["test"]
    found = list(judged(language, sources, tests))
    bad = [(each.key, each.verdict, each.message) for each in found if each.verdict != PASSED]
    print(bad, sum(each.cpu_s or 0.0 for each in found))
    return {each.key for each in found if each.verdict == PASSED}


def test_some_references_pass(language: str) -> None:
    wanted = [rows(language)[number] for number in (0, 1, 38)]
    assert passing(language, wanted) == {row["task_id"] for row in wanted}


@pytest.mark.slow
def test_all_references_pass(language: str) -> None:
    wanted = rows(language)
    assert len(wanted) == 164
    assert {row["task_id"] for row in wanted} - passing(language, wanted) == failing(language)
