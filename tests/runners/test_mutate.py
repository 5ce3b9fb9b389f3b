"""Counterfactual pairs through the rooms: found, proved in the sandbox, asked, judged."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.loader import ingest_dataset
from ingest.mutations.base import Edit, splice
from runners.steps.mutate import mutate
from runners.steps.status import status
from tests.support.steps import execute, generate
from warehouse.errors import AssayError, BadInput
from warehouse.store.connection import reading

PAPER = ["if_else_flip", "independent_swap", "def_use_break", "names_random", "names_shuffle"]
PROBLEMS = {
    "good": '''
def good(xs: list) -> int:
    """Return how many are above 3.

    >>> good([4])
    1
    """
    count = 0
    other = 5
    for x in xs:
        if x > 3:
            count += 1
        else:
            other -= 1
    return count


assert good([1, 4, 9]) == 2
assert good([]) == 0
''',
    "branches": '''
def branches(a: int, b: int) -> int:
    """Return the larger."""
    low = a
    high = b
    if a < b:
        low = a
        high = b
    else:
        low = b
        high = a
    low = low + 0
    return high


assert branches(1, 2) == 2
assert branches(2, 1) == 2
''',
}


def rows(sql: str, *given: Any) -> list[tuple[Any, ...]]:
    with reading() as con:
        return con.execute(sql, list(given)).fetchall()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("mutate")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder))
        ingest_dataset("starter")
        mutate(dataset="starter", mutations=PAPER, progress=False)
        yield folder


@pytest.fixture(autouse=True)
def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(home))


def test_every_search_has_a_row_and_counts_what_it_found() -> None:
    assert rows("select count(*) from raw.mutation_scan") == [(48 * 7,)]
    wrong = rows(
        """
        select scan.scan_id
        from raw.mutation_scan as scan
        left join raw.mutation_site as site using (scan_id)
        group by scan.scan_id, scan.n_sites, scan.n_declined
        having scan.n_sites <> count(site.site_id) filter (site.decline_code is null)
            or scan.n_declined <> count(site.decline_code)
        """
    )
    assert wrong == []
    assert rows("select count(*) from raw.mutation_site where decline_code is not null") > [(100,)]


def test_every_mutant_leads_back_to_the_reference_and_was_run() -> None:
    found = rows(
        """
        select mutant.undo, mutated.source, original.source, outcome.verdict, outcome.integrity,
            problem.prompt || problem.reference || problem.suffix
        from raw.mutant as mutant
        inner join raw.problem as problem using (problem_id)
        inner join raw.candidate as mutated on mutant.candidate_id = mutated.candidate_id
        inner join raw.candidate as original
            on mutant.original_candidate_id = original.candidate_id
        inner join raw.program as program
            on mutant.candidate_id = program.candidate_id
            and mutant.problem_id = program.problem_id
        inner join raw.outcome as outcome using (program_id)
        """
    )
    assert len(found) == rows("select count(*) from raw.mutant")[0][0] > 200
    for undo, mutated, original, verdict, integrity, reference in found:
        assert mutated != original == reference
        assert splice(mutated, [Edit(*edit) for edit in json.loads(undo)])[0] == original
        assert (verdict, integrity) == ("passed", "split")


def test_the_two_prompts_are_cut_from_the_two_programs() -> None:
    found = rows(
        """
        select pair.edition, mutant.mutation, mutant.mutation_version, shown.prompt, hidden.prompt,
            original.source, mutated.source, shown.kind, hidden.kind, hidden.parent_variant_id,
            shown.variant_id, hidden.seed, mutant.seed
        from raw.mutation_pair as pair
        inner join raw.mutant as mutant using (mutant_id)
        inner join raw.variant as shown on pair.original_variant_id = shown.variant_id
        inner join raw.variant as hidden on pair.mutated_variant_id = hidden.variant_id
        inner join raw.candidate as original
            on mutant.original_candidate_id = original.candidate_id
        inner join raw.candidate as mutated on mutant.candidate_id = mutated.candidate_id
        """
    )
    versions = {(edition, mutation, version) for edition, mutation, version, *_ in found}
    assert versions == {
        *((1, name, 1) for name in PAPER),
        *((2, name, 3 if name in ("if_else_flip", "independent_swap") else 1) for name in PAPER),
    }
    for _, mutation, _, prompt, mutated_prompt, original, mutated, *lineage in found:
        assert original.startswith(prompt)
        assert mutated.startswith(mutated_prompt)
        assert prompt != mutated_prompt
        kind, mutated_kind, parent, variant_id, seed, mutant_seed = lineage
        assert (kind, mutated_kind, parent) == ("cut", mutation, variant_id)
        # what draws no name has no use for its seed, and two versions may give one text
        assert seed == mutant_seed or mutation in ("if_else_flip", "independent_swap")


def test_doing_it_again_does_nothing_and_a_mutation_may_come_later() -> None:
    again = mutate(dataset="starter", mutations=PAPER, progress=False)
    assert (again.n_searched, again.n_mutants, again.n_executed) == (0, 0, 0)
    [(n_stored,)] = rows("select count(*) from raw.mutation_scan")
    assert again.n_present == n_stored
    before = rows("select count(*) from raw.run")
    mutate(dataset="starter", mutations=PAPER[:1], progress=False)
    assert rows("select count(*) from raw.run") == before


def test_what_cannot_be_mutated_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match=r"no mutation 'typo'; available: if_else_flip"):
        mutate(dataset="starter", mutations=["typo"], progress=False)
    with pytest.raises(BadInput, match="defects4j holds repairs"):
        mutate(dataset="defects4j", progress=False)
    with pytest.raises(AssayError, match="'mbpp' is not in the warehouse"):
        mutate(dataset="mbpp", progress=False)
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    ingest_dataset("starter")
    with pytest.raises(
        AssayError, match=r"starter has no valid pair: run `assay mutate starter`.* mutation_yield"
    ):
        generate(backend="planted", lm="a", dataset="starter", n=1, task="counterfactual")


def test_a_mutant_that_fails_is_no_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The word of a mutation counts for nothing: one that lies is found out by running it."""
    from ingest.mutations.names_random import NamesRandom

    def lie(
        self: NamesRandom, names: list[str], words: frozenset[str], seed: int
    ) -> dict[str, str]:
        return dict.fromkeys(names, names[0])

    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    folder = tmp_path / "problems"
    folder.mkdir()
    for name, text in PROBLEMS.items():
        (folder / f"{name}.py").write_text(f"# difficulty: easy\n\n{text}")
    ingest_dataset("starter", folder)
    monkeypatch.setattr(NamesRandom, "draw", lie)
    report = mutate(dataset="starter", mutations=["names_random"], workers=1, progress=False)
    assert report.n_mutants == report.n_pairs / 2 == 2
    assert report.verdicts["passed"] < report.n_executed
    generate(
        backend="planted", lm="a", dataset="starter", n=1, task="counterfactual", progress=False
    )
    asked = rows(
        """
        select distinct problem.task_id from raw.generation
        inner join raw.problem as problem using (problem_id)
        """
    )
    # in branches the first name may stand for both; in good it may not
    assert asked == [("starter/branches",)]
    waiting = status()
    assert waiting["pending"]["generations"] == sum(r["n_pending"] for r in waiting["generations"])
    assert any("not yet turned into programs" in line for line in waiting["to_do"])


# --- asking -------------------------------------------------------------------------------------


def test_both_sides_are_asked_and_the_original_twice_as_often() -> None:
    drawn = generate(
        backend="planted",
        lm="planted-sensitive",
        dataset="starter",
        n=5,
        temperature=0.8,
        task="counterfactual",
        mutations=PAPER,
        options={"pass_rate": 0.8, "sensitivity": {"names_random": 0.5}, "seed": 3},
        progress=False,
    )
    counts = dict(
        rows(
            """
            select kind, list(distinct n order by n) from (
                select variant.kind, variant.variant_id, count(*) as n
                from raw.generation as generation
                inner join raw.variant as variant using (variant_id)
                inner join raw.setting as setting using (setting_id)
                where setting.task = 'counterfactual' and setting.temperature = 0.8
                group by all
            ) group by kind
            """
        )
    )
    assert counts == {"cut": [10], **{name: [5] for name in PAPER}}
    sides = rows(
        """
        select count(distinct original_variant_id), count(distinct mutated_variant_id)
        from raw.mutation_pair where decline_code is null
        """
    )
    assert drawn.n_drawn == 10 * sides[0][0] + 5 * sides[0][1]
    execute(progress=False)
    rates = dict(
        rows(
            """
            select variant.kind, avg(cast(outcome.verdict = 'passed' as integer))
            from raw.generation as generation
            inner join raw.variant as variant using (variant_id)
            inner join raw.setting as setting using (setting_id)
            inner join raw.evaluation as evaluation using (generation_id)
            inner join raw.outcome as outcome using (program_id)
            where setting.temperature = 0.8
            group by all
            """
        )
    )
    n_random = 5 * 48
    assert abs(rates["names_random"] - 0.3) < 4 * (0.21 / n_random) ** 0.5
    assert abs(rates["names_shuffle"] - 0.8) < 4 * (0.16 / n_random) ** 0.5
    assert abs(rates["cut"] - 0.8) < 4 * (0.16 / (10 * sides[0][0])) ** 0.5


def test_greedy_sides_are_asked_once_each_and_the_right_answer_is_the_authors() -> None:
    generate(
        backend="planted",
        lm="planted-always",
        dataset="starter",
        n=1,
        temperature=0.0,
        task="counterfactual",
        mutations=["if_else_flip", "def_use_break"],
        editions=[2],
        options={"pass_rate": 1.0},
        progress=False,
    )
    execute(progress=False)
    found = rows(
        """
        select variant.kind, outcome.verdict, candidate.source,
            candidate.candidate_id in (select candidate_id from raw.mutant),
            variant.prompt || generation_text.kept_text || problem.suffix
        from raw.generation as generation
        inner join raw.setting as setting using (setting_id)
        inner join raw.generation_text as generation_text using (generation_id)
        inner join raw.variant as variant using (variant_id)
        inner join raw.problem as problem on generation.problem_id = problem.problem_id
        inner join raw.evaluation as evaluation using (generation_id)
        inner join raw.candidate as candidate on evaluation.candidate_id = candidate.candidate_id
        inner join raw.outcome as outcome using (program_id)
        where setting.temperature = 0
        """
    )
    kinds = Counter(kind for kind, *_ in found)
    assert set(kinds) == {"cut", "if_else_flip", "def_use_break"}
    assert kinds["if_else_flip"] == 21
    for kind, verdict, source, is_mutant, shown in found:
        assert (verdict, is_mutant) == ("passed", kind != "cut")
        assert source == shown


def test_fewer_pairs_are_the_same_ones_under_the_same_seed() -> None:
    from runners.tasks.base import Pairs
    from runners.tasks.counterfactual import sides

    some = sides("starter", Pairs(["independent_swap"], [2], most=9, seed=1))
    more = sides("starter", Pairs(["independent_swap"], [2], most=20, seed=1))
    other = sides("starter", Pairs(["independent_swap"], [2], most=9, seed=2))
    chosen = [{side.variant_id for side in each if side.mutation} for each in (some, more, other)]
    assert len(chosen[0]) <= 9 < len(chosen[1])
    assert chosen[0] < chosen[1]
    assert chosen[2] != chosen[0]


def test_a_planted_wrong_answer_is_wrong_wherever_the_program_was_cut() -> None:
    generate(
        backend="planted",
        lm="planted-never",
        dataset="starter",
        n=1,
        temperature=0.0,
        task="counterfactual",
        mutations=PAPER,
        options={"pass_rate": 0.0},
        progress=False,
    )
    execute(progress=False)
    found = rows(
        """
        select distinct outcome.verdict, candidate.parses
        from raw.generation as generation
        inner join raw.language_model as lm using (lm_id)
        inner join raw.evaluation as evaluation using (generation_id)
        inner join raw.candidate as candidate using (candidate_id)
        inner join raw.outcome as outcome using (program_id)
        where lm.lm = 'planted-never'
        """
    )
    assert found == [("error", False)]


def test_a_chat_answers_with_the_whole_program_and_means_the_same() -> None:
    generate(
        backend="planted",
        lm="planted-chat",
        dataset="starter",
        n=1,
        temperature=0.0,
        task="counterfactual",
        mutations=["names_random"],
        options={"pass_rate": 1.0, "chat": True},
        progress=False,
    )
    execute(progress=False)
    found = rows(
        """
        select outcome.verdict, generation_text.kept_rule, generation_request.template,
            candidate.candidate_id = any(
                select case when variant.kind = 'cut' then original_candidate_id
                    else candidate_id end
                from raw.mutant where mutant.problem_id = generation.problem_id
            ), count(*)
        from raw.generation as generation
        inner join raw.language_model as lm using (lm_id)
        inner join raw.generation_text as generation_text using (generation_id)
        inner join raw.generation_request as generation_request using (generation_id)
        inner join raw.variant as variant using (variant_id)
        inner join raw.evaluation as evaluation using (generation_id)
        inner join raw.candidate as candidate on evaluation.candidate_id = candidate.candidate_id
        inner join raw.outcome as outcome using (program_id)
        where lm.lm = 'planted-chat'
        group by all
        """
    )
    assert [row[:4] for row in found] == [
        ("passed", "fenced_cut_v1", "counterfactual_chat_v1", True)
    ]
    assert found[0][4] >= 2 * 48


def test_a_template_or_task_that_does_not_fit_is_refused() -> None:
    for given, message in (
        ({"prompt": "synthesis_chat_v1"}, "is not made for counterfactual"),
        ({"prompt": "counterfactual_chat_v1"}, "asks for a whole program in a chat"),
        ({"prompt": "original", "options": {"chat": True}}, "does not ask a chat"),
    ):
        with pytest.raises(BadInput, match=message):
            generate(
                backend="planted", lm="a", dataset="starter", n=1, task="counterfactual", **given
            )
    with pytest.raises(BadInput, match="the task of starter is synthesis, not repair"):
        generate(backend="planted", lm="a", dataset="starter", n=1, task="repair")


def test_choices_of_pairs_need_the_task() -> None:
    for given in (
        {"mutations": ["names_random"]},
        {"editions": [1]},
        {"max_pairs": 5},
        {"pair_seed": 1},
    ):
        with pytest.raises(BadInput, match="need --task counterfactual"):
            generate(backend="planted", lm="a", dataset="starter", n=1, **given)


def test_a_language_model_has_a_name() -> None:
    for name in ("", " ", "a\nb"):
        with pytest.raises(BadInput, match="is not a name for a language model"):
            generate(backend="planted", lm=name, dataset="starter", n=1)


def test_a_sensitivity_must_be_of_a_mutation_and_a_share() -> None:
    for options, message in (
        ({"sensitivity": {"typo": 0.1}}, "no mutation 'typo'"),
        ({"sensitivity": {"names_random": 2}}, r"sensitivity.names_random must lie in \[-1, 1\]"),
        ({"sensitivity": 0.3}, "sensitivity is an object of rates"),
        ({"sensitivity": "{names_random=0.3}"}, "sensitivity is an object of rates"),
    ):
        with pytest.raises(BadInput, match=message):
            generate(backend="planted", lm="a", dataset="starter", n=1, options=options)


def test_newer_rules_search_again_and_their_pairs_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ingest.mutations.names_random import NamesRandom
    from warehouse.views.build import build

    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    folder = tmp_path / "problems"
    folder.mkdir()
    for name, text in PROBLEMS.items():
        (folder / f"{name}.py").write_text(f"# difficulty: easy\n\n{text}")
    ingest_dataset("starter", folder)
    found = [
        mutate(dataset="starter", mutations=["names_random"], workers=1, progress=False).n_searched
    ]
    monkeypatch.setattr(NamesRandom, "rules", NamesRandom.rules + 1)
    monkeypatch.setattr(
        NamesRandom, "sites", lambda self, program: [self.decline(None, "shy", "shy")]
    )
    for _ in range(2):
        again = mutate(dataset="starter", mutations=["names_random"], workers=1, progress=False)
        found.append(again.n_searched)
    assert found == [2, 2, 0]
    assert rows("select count(*) from raw.mutation_pair")[0][0] > 0
    with pytest.raises(AssayError, match="no valid pair"):
        generate(backend="planted", lm="a", dataset="starter", n=1, task="counterfactual")
    build(select="+mutation_yield_v1", tests=False)
    assert rows("select distinct n_kept, n_declined, n_mutated from mutation_yield_v1") == [
        (0, 2, 0)
    ]
