"""Counterfactual pairs through the rooms: found and proved in the sandbox."""

import json
from pathlib import Path

import pytest

from ingest.mutations.base import Edit, splice
from runners.steps.status import status
from tests.support.sql import rows
from tests.support.steps import generate, ingest_dataset, mutate
from tests.support.worlds.mutants import PAPER, PROBLEMS
from warehouse.errors import AssayError, BadInput

pytestmark = pytest.mark.usefixtures("at_mutated")


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
    with pytest.raises(BadInput, match=r"there is no 'typo'; available: if_else_flip"):
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


@pytest.fixture
def two_problems(at_mutated: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A separate home that holds the problems of ``mutants``."""
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    folder = tmp_path / "problems"
    folder.mkdir()
    for name, text in PROBLEMS.items():
        (folder / f"{name}.py").write_text(f"# difficulty: easy\n\n{text}")
    ingest_dataset("starter", folder, unpinned=True)


def test_a_mutant_that_fails_is_no_pair(
    two_problems: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The word of a mutation counts for nothing: one that lies is found out by running it."""
    from ingest.mutations.names_random import NamesRandom

    def lie(
        self: NamesRandom, names: list[str], words: frozenset[str], seed: int
    ) -> dict[str, str]:
        return dict.fromkeys(names, names[0])

    monkeypatch.setattr(NamesRandom, "new_names", lie)
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


@pytest.mark.long
def test_newer_rules_search_again_and_their_pairs_count(
    two_problems: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ingest.mutations.names_random import NamesRandom
    from tests.support.steps import build

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
    build(select="+mutation_yield_v1")
    assert rows("select distinct n_kept, n_declined, n_mutated from mutation_yield_v1") == [
        (0, 2, 0)
    ]
