"""Problems that need packages are judged in an environment that is locked for their dataset."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from models.words import LEVELS
from runners.judging.environments.folders import folder_of
from runners.judging.environments.locks import lock_of
from runners.judging.languages.pool import PoolOfLanguages
from runners.judging.sandbox.types import JUDGE_VERSION, Job, Limits, Suite
from runners.judging.sandbox.walls.probe import try_level
from runners.specs import DatasetCheckSpec
from runners.steps.datasets.check import BadDataset, check_dataset
from tests.runners.projects.conftest import no_index, only_these
from tests.runners.projects.wheels import wheel
from tests.support.sql import rows
from tests.support.steps import execute, import_generations, ingest_dataset, mutate

pytestmark = pytest.mark.long(seconds=40)

ADD = {
    "task_id": "plain",
    "entry_point": "add",
    "prompt": "def add(a, b):\n",
    "reference": "    return a + b\n",
    "asserts": ["assert add(1, 2) == 3"],
}
SUM = ADD | {
    "task_id": "packed",
    "prompt": "import tiny\n\n\ndef add(a, b):\n",
    "reference": "    return tiny.plus(a, b)\n",
    "requirements": {"tiny": "tiny"},
}
CLASS = {
    "task_id": "class",
    "entry_point": "Adder",
    "description": "A class that adds.",
    "solution": "import tiny\n\n\nclass Adder:\n"
    "    def add(self, a):\n        return tiny.plus(a, 1)\n",
    "unittest": "import unittest\nimport tiny\n\n\nclass TestAdder(unittest.TestCase):\n"
    "    def test_one(self):\n        self.assertEqual(Adder().add(1), tiny.plus(1, 1))\n",
    "requirements": {"tiny": "tiny"},
}
OUTPUTS = {
    "task_id": "outputs",
    "entry_point": "add",
    "description": "Add two numbers.",
    "solution": "import tiny\n\n\ndef add(a, b):\n    return tiny.plus(a, b)\n",
    "inputs": [[1, 2], [3, 4]],
    "requirements": {"tiny": "tiny"},
}
ABSENT = SUM | {"task_id": "absent", "requirements": {"tiny": "nowhere"}}
PLUS = "def plus(a, b):\n    return a + b\n"


@pytest.fixture
def wheels(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that pip sees alone, with ``tiny``."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    only_these(monkeypatch, folder)
    wheel(folder, "tiny", "1.0", {"tiny.py": PLUS})
    return folder


def written(folder: Path, *found: dict[str, Any]) -> Path:
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    return path


def answered(folder: Path, *found: dict[str, Any]) -> None:
    """Ingest these rows, and bring in one right answer to each."""
    ingest_dataset("mine", written(folder, *found), license="MIT")
    answers = folder / "answers.jsonl"
    with answers.open("w", encoding="utf-8") as file:
        for task_id, text in rows("select task_id, reference from raw.problem"):
            answer = {"task_id": task_id, "text": text, "style": "completion"}
            file.write(json.dumps(answer) + "\n")
    import_generations(answers, format="generic", dataset="mine", lm="m")


def modes() -> dict[str, str]:
    """Return how each problem was admitted, under the environment that counts."""
    found = rows(
        "select task_id, mode from raw.problem join "
        "facts.admissions_under('calibrated', $1, '') using (problem_id)",
        JUDGE_VERSION,
    )
    return dict(found)


@pytest.mark.parametrize("level", LEVELS)
def test_programs_import_packages_at_every_level(level: str, wheels: Path) -> None:
    if not try_level(level)["works"]:
        pytest.skip(f"this machine does not offer {level}")
    packages = str(folder_of(lock_of(["tiny"])))
    attack = "open(tiny.__file__, 'w')" if level in LEVELS[:3] else "raise OSError"
    sources = {
        "right": "import tiny\n\n\ndef f(x):\n    return tiny.plus(x, 1)\n",
        "writes": f"import tiny\n\n\ndef f(x):\n    {attack}\n    return x + 1\n",
    }

    def jobs(of: str) -> Iterator[Job]:
        suite = Suite(f"s{bool(of)}", "f", "", "assert f(1) == 2\n", (), None, "exact", 0.0)
        suite = Suite(**(vars(suite) | {"packages": of}))
        limits = Limits(cpu_s=5, wall_s=30, memory_mb=256)
        for name, source in sources.items():
            for mode in ("split", "same_interpreter"):
                yield Job(f"{name} {mode} {bool(of)}", source, suite, limits, mode)

    with PoolOfLanguages(workers=1, isolation=level) as pool:
        found = {done.key: done for done in pool.run([*jobs(packages), *jobs("")])}
    for mode in ("split", "same_interpreter"):
        assert found[f"right {mode} True"].verdict == "passed"
        assert found[f"writes {mode} True"].verdict != "passed"
        assert "No module named 'tiny'" in str(found[f"right {mode} False"].message)
    assert (Path(packages) / "tiny.py").read_text() == PLUS


def test_a_dataset_is_checked_with_its_packages(wheels: Path, tmp_path: Path) -> None:
    report = check_dataset(
        DatasetCheckSpec(written(tmp_path, ADD, SUM, CLASS, OUTPUTS)), progress=False
    )
    assert report.judged == {"same_interpreter": 3, "split": 1}
    with pytest.raises(BadDataset) as raised:
        check_dataset(DatasetCheckSpec(written(tmp_path, ADD, SUM, ABSENT)), progress=False)
    (line, _) = raised.value.lines
    assert ":3: task absent would be rejected: it needs nowhere, which cannot be fetched" in line


def test_verdicts_are_those_of_one_environment(wheels: Path, tmp_path: Path) -> None:
    answered(tmp_path, ADD, SUM, CLASS, OUTPUTS, ABSENT)
    report = execute(dataset="mine", progress=False)
    assert report.verdicts == {"passed": 4}
    assert [task.partition(" (")[0] for task in report.rejected_problems] == ["absent"]
    assert "it needs nowhere, which cannot be fetched" in report.rejected_problems[0]
    assert modes() == {
        "plain": "same_interpreter",
        "packed": "same_interpreter",
        "class": "same_interpreter",
        "outputs": "split",
        "absent": "rejected",
    }
    ids = dict(rows("select task_id, environment_id from raw.admission join raw.problem using "
                    "(problem_id)"))  # fmt: skip
    assert ids.pop("plain") is None
    assert len({*ids.values()}) == 1
    assert rows("select n_packages, lock from raw.project_environment")[0][0] == 1
    again = execute(dataset="mine", progress=False)
    assert (again.n_generations, again.n_executed, again.rejected_problems) == (0, 0, [])
    # the package appears, and another version of the first: all that need any are judged again
    wheel(wheels, "tiny", "2.0", {"tiny.py": PLUS.replace("a + b", "a + b + 0")})
    wheel(wheels, "nowhere", "1.0", {"nowhere.py": ""})
    assert execute(dataset="mine", progress=False).n_executed == 0
    report = execute(dataset="mine", retry_rejected=True, progress=False)
    assert report.verdicts == {"passed": 4}
    assert report.rejected_problems == []
    assert Counter(modes().values()) == {"same_interpreter": 4, "split": 1}
    assert len(rows("select * from raw.dataset_environment")) == 2


def test_without_an_index_the_rest_is_judged(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(tmp_path, ADD, SUM)
    with monkeypatch.context() as patch:
        no_index(patch)
        report = execute(dataset="mine", progress=False)
        assert report.verdicts == {"passed": 1}
        assert report.rejected_problems == []
        (line,) = report.projects_not_judged
        assert line.startswith("mine: packages that 1 problems need are not here: pip cannot reach")
        mutated = mutate(dataset="mine", mutations=["names_loop"], progress=False)
        assert mutated.not_judged == [line]
    assert execute(dataset="mine", progress=False).verdicts == {"passed": 1}
    # what was unpacked once needs no index
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "none"))
    assert execute(dataset="mine", policy="fast", progress=False).verdicts == {"passed": 2}
