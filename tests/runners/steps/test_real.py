"""Real problems and real generations: the published numbers, and verdicts known from elsewhere."""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import Any

import pytest

from runners.judging.conditions import Conditions
from runners.steps.mutate import admit_dataset
from tests.data import (
    CODET,
    FILES,
    PROMPTS,
    json_rows,
    published_verdicts,
    shared,
    tasks_by_prompt,
)
from tests.support.sql import rows
from tests.support.steps import execute, import_generations, ingest_dataset, mutate
from tests.support.worlds.mutants import PAPER

pytestmark = pytest.mark.long(seconds=70)

EVERY = 24
"""One of so many of CodeGen's 11,000 samples is run; ``slow`` runs all."""

N_ENDLESS = 1
"""How many of the 43 samples that never end are run: each takes its whole limit, twice."""

Key = tuple[str, int]

SEEDS = ("gpt-3.5-turbo-0613", "codellama", "starcoder")
RUN = {"humaneval": SEEDS, "mbpp": SEEDS[2:]}
"""Whose answers are run; ``slow`` runs all."""
LONGEST = ("codellama", "MBPP/123")
"""A wrong answer that takes 48 s to its limit, ten times what the reference takes: left out."""

# The label's machine happened to have the package; the sandbox has the standard library alone.
EXPLAINED: dict[Key, str | None] = {("HumanEval/48", 88): "No module named 'boto3'"}
if sys.version_info >= (3, 12):  # int has had is_integer() since; the labels are from 3.11
    EXPLAINED["HumanEval/151", 72] = None
# Pairs of HumanEval by edition and mutation; those of MBPP are in docs/mutations.md.
KEPT = {
    **{(1, name): n for name, n in zip(PAPER, (22, 56, 8, 109, 94), strict=True)},
    **{(2, name): n for name, n in zip(PAPER, (33, 67, 8, 108, 94), strict=True)},
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("real")
    before = os.environ.get("ASSAY_HOME")
    os.environ["ASSAY_HOME"] = str(folder)
    yield folder
    if before is None:
        del os.environ["ASSAY_HOME"]
    else:
        os.environ["ASSAY_HOME"] = before


def not_run(every: int) -> set[Key]:
    """Return the samples of CodeGen that are left out where one of ``every`` is run."""
    labels = published_verdicts()
    endless = [key for key, label in labels.items() if label == "timeout"]
    left_out = {key for number, key in enumerate(labels) if number % every}
    return left_out - {*endless, *EXPLAINED} | {*endless[N_ENDLESS:]}


def import_codegen(home: Path, lm: str, left_out: Set[Key]) -> None:
    """Import CodeGen's samples, with nothing in the place of those that are left out."""
    tasks, answers = tasks_by_prompt(), json_rows(CODET)
    for row in answers:
        task = tasks[row["prompt"]]
        for number in range(len(row["samples"])):
            if (task, number) in left_out:
                row["samples"][number] = ""
    path = write_rows(home / "samples.jsonl", answers)
    import_generations(path, format="codet", dataset="humaneval", lm=lm, prompts=shared(PROMPTS))


def import_seeds(home: Path, dataset: str, lm: str) -> None:
    answers = json_rows(f"generations/ldb_seeds/{dataset}/{lm}.jsonl")
    for row in answers:
        if (lm, row["task_id"]) == LONGEST:
            assert not row["is_solved"]
            row["solution"] = ""
    path = write_rows(home / "answers.jsonl", answers)
    import_generations(path, format="ldb", dataset=dataset, lm=lm)


def write_rows(path: Path, found: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in found), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def executed(home: Path) -> None:
    for dataset, lms in RUN.items():
        ingest_dataset(dataset, shared(FILES[dataset]))
        for lm in lms:
            import_seeds(home, dataset, lm)
    import_codegen(home, "CodeGen", not_run(EVERY))
    report = execute()
    assert report.failing_canaries == report.rejected_problems == []


VERDICTS = """
    select lm.lm, problem.dataset, problem.task_id, generation.sample_index,
        outcome.verdict, outcome.message, generation.claimed_pass
    from raw.generation as generation
    inner join raw.language_model as lm using (lm_id)
    inner join raw.evaluation as evaluation using (generation_id)
    inner join raw.outcome as outcome using (program_id)
    inner join raw.problem as problem on problem.problem_id = evaluation.problem_id
"""


def test_verdicts_of_some_of_11000_real_samples_agree_with_the_labels(executed: None) -> None:
    left_out = not_run(EVERY)
    assert 445 < 11_000 - len(left_out) < 475
    agree_with_the_labels("CodeGen", left_out)


@pytest.mark.slow
def test_verdicts_of_11000_real_samples_agree_with_the_labels(home: Path, executed: None) -> None:
    left_out = not_run(1)
    assert len(left_out) == 42
    import_codegen(home, "CodeGen, all", left_out)
    assert execute().failing_canaries == []
    agree_with_the_labels("CodeGen, all", left_out)


def agree_with_the_labels(codegen: str, left_out: Set[Key]) -> None:
    labels = {key: label for key, label in published_verdicts().items() if key not in left_out}
    found = {
        (task, index): (verdict, message)
        for lm, _, task, index, verdict, message, _ in rows(VERDICTS)
        if lm == codegen and (task, index) not in left_out
    }
    assert found.keys() == labels.keys()
    disagree = {
        key: message
        for key, (verdict, message) in found.items()
        if (verdict == "passed") != (labels[key] == "passed")
    }
    assert disagree.keys() == EXPLAINED.keys()
    for key, reason in EXPLAINED.items():
        assert disagree[key] == reason or (reason and reason in disagree[key])
    timeouts = {key for key, (verdict, _) in found.items() if verdict == "timeout"}
    assert timeouts == {key for key, label in labels.items() if label == "timeout"}


@pytest.mark.parametrize(
    ("dataset", "at_least", "of"), [("humaneval", 162, 164), ("mbpp", 487, 500)]
)
def test_verdicts_agree_with_what_the_seeds_claim(
    executed: None, dataset: str, at_least: int, of: int
) -> None:
    seeds_agree(dataset, RUN[dataset], at_least, of)


@pytest.mark.slow
def test_verdicts_agree_with_what_all_seeds_claim(home: Path, executed: None) -> None:
    for lm in SEEDS[:2]:
        import_seeds(home, "mbpp", lm)
    assert execute().failing_canaries == []
    seeds_agree("mbpp", SEEDS, 487, 500)


def seeds_agree(dataset: str, lms: Sequence[str], at_least: int, of: int) -> None:
    agree: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for lm, name, _, _, verdict, _, claimed in rows(VERDICTS):
        if name == dataset and claimed is not None:
            total[lm] += 1
            agree[lm] += claimed == (verdict == "passed")
    assert total == dict.fromkeys(lms, of)
    assert min(agree.values()) >= at_least, agree


def modes(dataset: str) -> dict[str, int]:
    return dict(
        rows(
            f"""
            select mode, count(*) from raw.admission
            inner join raw.problem as problem using (problem_id)
            where problem.dataset = '{dataset}' group by 1
            """
        )
    )


@pytest.mark.parametrize(
    ("dataset", "split", "same"),
    [("humaneval", 164, 0), ("mbpp", 971, 3), ("mbpp_sanitized", 427, 0)],
)
def test_all_references_pass(home: Path, dataset: str, split: int, same: int) -> None:
    ingest_dataset(dataset, shared(FILES[dataset]))
    assert admit_dataset(dataset, Conditions()) == []
    found = modes(dataset)
    assert sum(found.values()) == split + same
    assert found["split"] >= split, found


@pytest.mark.slow
@pytest.mark.parametrize(("dataset", "n"), [("humaneval_plus", 164), ("mbpp_plus", 378)])
def test_all_references_pass_on_plus_inputs(home: Path, dataset: str, n: int) -> None:
    ingest_dataset(dataset, shared(FILES[dataset]))
    assert admit_dataset(dataset, Conditions()) == []
    assert modes(dataset) == {"split": n}
    aside = rows(
        f"""
        select problem.task_id, admission.reason from raw.admission as admission
        inner join raw.problem as problem using (problem_id)
        where problem.dataset = '{dataset}' and admission.reason is not null
        """
    )
    # one input of Mbpp/255 asks for 1,663,740 tuples of 77 strings
    assert [task for task, _ in aside] == (["Mbpp/255"] if dataset == "mbpp_plus" else [])


def test_pairs_of_humaneval_are_as_many_as_are_known_and_all_keep_their_behaviour(
    executed: None,
) -> None:
    """Every mutant of the paper's five mutations passes what the reference passes."""
    report = mutate(dataset="humaneval", mutations=PAPER, progress=False)
    assert report.failing_canaries == report.rejected_problems == []
    assert set(report.verdicts) == {"passed"}
    kept = {
        tuple(key): n
        for *key, n in rows(
            """
            select pair.edition, mutant.mutation, count(*)
            from raw.mutation_pair as pair
            inner join raw.mutant as mutant using (mutant_id)
            inner join raw.program as program using (candidate_id)
            inner join raw.outcome as outcome using (program_id)
            where outcome.verdict = 'passed' and pair.decline_code is null
                and program.problem_id = pair.problem_id
            group by all
            """
        )
    }
    assert kept == KEPT
