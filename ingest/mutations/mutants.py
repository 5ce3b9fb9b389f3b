"""Rows from mutations: a reference is searched, rewritten at every site, and cut in two editions.

Edition 1 takes the paper's mutations in their first version and cuts by its first rule. Edition 2
takes the newest version of every mutation and cuts where a statement ends. Nothing is run here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingest import keys
from ingest.mutations import MUTATIONS
from ingest.mutations.base import Decline, Mutated, Mutation, Site, mutation_versions, seed_of
from ingest.mutations.source.cut import Cut
from ingest.mutations.source.lines import NoCut
from ingest.mutations.source.program import ParsedProgram, Unreadable, parse_program
from models.keys import content_key, text_key
from models.tables import (
    Candidate,
    Mutant,
    MutationPair,
    MutationScan,
    MutationSite,
    Program,
    Variant,
)
from models.words import CUT, SCRIPT

MAX_SITES = 200
"""Most sites of one search that are rewritten: a program of thousands of lines has too many."""

Made = tuple[type, dict[str, Any]]
"""A row as table and values, its ``run_id`` still to be filled in."""


@dataclass(frozen=True)
class Scan:
    """One mutation to be tried on one problem's reference, in the editions it serves."""

    mutation: Mutation
    editions: tuple[int, ...]

    def key(self, problem_id: str) -> str:
        """Return the key of this search in the reference of one problem."""
        mutation = self.mutation
        return content_key(problem_id, mutation.name, mutation.version, mutation.rules)


def scans(names: Sequence[str] = tuple(MUTATIONS)) -> list[Scan]:
    """Return what is to be tried: every version of every mutation that an edition takes."""
    found = []
    for versions in mutation_versions(names):
        for mutation in versions:
            first = mutation is versions[0] and mutation.in_paper
            editions = (*((1,) if first else ()), *((2,) if mutation is versions[-1] else ()))
            if editions:
                found.append(Scan(mutation, editions))
    return found


def mutate(problem: Mapping[str, Any], admission_id: str, wanted: Sequence[Scan]) -> list[Made]:
    """Return the rows of all searches of one problem, parsed once.

    The programs are rows to be judged under ``admission_id``: whether a mutant is valid is not
    said here.
    """
    original = str(problem["prompt"] + problem["reference"] + problem["suffix"])
    entry_point = None if problem["entry_point"] == SCRIPT else str(problem["entry_point"])
    program = parse_program(original, entry_point)
    rows: list[Made] = [*_program_rows(problem["problem_id"], original, admission_id)]
    for scan in wanted:
        rows += _Search(problem, original, entry_point, program, admission_id, scan).rows()
    return rows


def _program_rows(problem_id: str, source: str, admission_id: str) -> Iterator[Made]:
    candidate_id = text_key(source)
    yield (
        Candidate,
        {
            "candidate_id": candidate_id,
            "source": source,
            "parses": True,
            "n_characters": len(source),
        },
    )
    yield (
        Program,
        {
            "program_id": content_key(candidate_id, admission_id),
            "candidate_id": candidate_id,
            "problem_id": problem_id,
            "admission_id": admission_id,
        },
    )


@dataclass(frozen=True)
class _Search:
    problem: Mapping[str, Any]
    original: str
    entry_point: str | None
    program: ParsedProgram | Unreadable
    admission_id: str
    scan: Scan

    def rows(self) -> Iterator[Made]:
        mutation, problem_id = self.scan.mutation, self.problem["problem_id"]
        seed = seed_of(problem_id, mutation.name, mutation.version)
        found: list[tuple[Site | None, Mutated | Decline]] = []
        if isinstance(self.program, ParsedProgram):
            for place in self._places(mutation.sites(self.program), seed):
                if isinstance(place, Decline):
                    found.append((None, place))
                else:
                    found.append((place, mutation.apply(self.original, place, seed)))
        n_sites = sum(isinstance(result, Mutated) for _, result in found)
        key = self.scan.key(problem_id)
        unreadable = self.program.code if isinstance(self.program, Unreadable) else None
        yield (
            MutationScan,
            {
                "scan_id": key,
                "problem_id": problem_id,
                "mutation": mutation.name,
                "mutation_version": mutation.version,
                "rules": mutation.rules,
                "in_paper": mutation.in_paper,
                "n_sites": n_sites,
                "n_declined": len(found) - n_sites,
                "unreadable_code": unreadable,
            },
        )
        for index, (site, result) in enumerate(found):
            site_id = content_key(key, index)
            yield MutationSite, self._site(site_id, key, index, site, result)
            if site is not None and isinstance(result, Mutated):
                yield from self._mutant(site_id, site, result)

    def _places(self, found: list[Site | Decline], seed: int) -> list[Site | Decline]:
        """Return what was found, but of too many sites those that the seed draws."""
        sites = [place for place in found if isinstance(place, Site)]
        if len(sites) <= MAX_SITES:
            return found
        drawn = np.random.Generator(np.random.PCG64(seed)).permutation(len(sites))[:MAX_SITES]
        why = f"{len(sites):,} sites: {MAX_SITES} of them are drawn by the seed, the rest left out"
        return [
            *(place for place in found if isinstance(place, Decline)),
            self.scan.mutation.decline(None, "too_many_sites", why),
            *(sites[place] for place in sorted(drawn)),
        ]

    def _site(
        self, site_id: str, key: str, index: int, site: Site | None, result: Mutated | Decline
    ) -> dict[str, Any]:
        declined = result if isinstance(result, Decline) else None
        line = site.line if site is not None else declined.line if declined is not None else None
        return {
            "site_id": site_id,
            "scan_id": key,
            "problem_id": self.problem["problem_id"],
            "site_index": index,
            "line": line,
            "operators": json.dumps(list(site.operators) if site is not None else []),
            "decline_code": declined.code if declined else None,
            "decline_reason": declined.why if declined else None,
        }

    def _mutant(self, site_id: str, site: Site, result: Mutated) -> Iterator[Made]:
        problem_id, mutation = self.problem["problem_id"], self.scan.mutation
        mutant_id = content_key(site_id, result.seed, text_key(result.source))
        yield from _program_rows(problem_id, result.source, self.admission_id)
        yield (
            Mutant,
            {
                "mutant_id": mutant_id,
                "site_id": site_id,
                "problem_id": problem_id,
                "mutation": mutation.name,
                "mutation_version": mutation.version,
                "seed": result.seed,
                "original_candidate_id": text_key(self.original),
                "candidate_id": text_key(result.source),
                "names": json.dumps(result.names),
                "undo": json.dumps([[edit.start, edit.end, edit.text] for edit in result.undo]),
            },
        )
        for edition in self.scan.editions:
            cut = mutation.cut(self.original, site, result, self.entry_point, edition)
            yield from self._pair(mutant_id, edition, cut, result.seed)

    def _pair(self, mutant_id: str, edition: int, cut: Cut | NoCut, seed: int) -> Iterator[Made]:
        problem_id, mutation = self.problem["problem_id"], self.scan.mutation
        original_id = mutated_id = None
        if isinstance(cut, Cut):
            parent = keys.variant_id(problem_id, "original", self.problem["prompt"])
            original_id = keys.variant_id(problem_id, CUT, cut.original)
            mutated_id = keys.variant_id(problem_id, mutation.name, cut.mutated)
            yield Variant, _variant(original_id, problem_id, CUT, parent, cut.original, None)
            yield (
                Variant,
                _variant(mutated_id, problem_id, mutation.name, original_id, cut.mutated, seed),
            )
        yield (
            MutationPair,
            {
                "pair_id": content_key(mutant_id, edition),
                "mutant_id": mutant_id,
                "problem_id": problem_id,
                "edition": edition,
                "original_variant_id": original_id,
                "mutated_variant_id": mutated_id,
                "decline_code": cut.code if isinstance(cut, NoCut) else None,
                "decline_reason": cut.why if isinstance(cut, NoCut) else None,
            },
        )


def _variant(
    key: str, problem_id: str, kind: str, parent: str, prompt: str, seed: int | None
) -> dict[str, Any]:
    return {
        "variant_id": key,
        "problem_id": problem_id,
        "kind": kind,
        "parent_variant_id": parent,
        "prompt": prompt,
        "seed": seed,
    }
