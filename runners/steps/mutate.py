"""Counterfactual pairs of a dataset: found in its references, proved by running both sides.

A reference must pass its own tests before it is searched. Every mutant is then run against the same
tests, and a pair counts where both sides pass. The views and ``assay generate`` read that from the
outcomes, never from the mutation's word.
"""

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from ingest.catalogue import kind_of
from ingest.mutations import mutants
from models.tables import Mutant, MutationPair, MutationScan
from models.words import PYTHON, REJECTED
from runners.judging.conditions import Conditions
from runners.judging.packages import Environments
from runners.judging.policies import Policy, rules_of
from runners.judging.references import admit
from runners.problems import newest_problems, require
from runners.progress import track
from runners.specs import MutateSpec
from runners.steps.execute import ExecuteReport, run_pending
from runners.workers import in_processes
from warehouse.facts.judging import admissions
from warehouse.facts.mutations import done_scans
from warehouse.facts.problems import newest_ids
from warehouse.parameters import BadValue
from warehouse.store.connection import reading
from warehouse.store.locks import one_at_a_time
from warehouse.store.runs import recorded
from warehouse.store.spool import Spool, drain_leftovers

POLICY = Policy()
PROBLEMS_WORTH_A_POOL = 100


@dataclass
class MutateReport:
    """What one call found; the references in ``rejected_problems`` fail, or lack packages.

    Problems without a reference are passed over. ``not_judged`` says whose packages are not here.

    ``n_searched`` are searches of one reference for one mutation, ``n_present`` those that were in
    the warehouse already; everything else counts the new ones only.
    """

    dataset: str
    n_problems: int = 0
    n_searched: int = 0
    n_present: int = 0
    n_sites: int = 0
    n_declined: int = 0
    n_unreadable: int = 0
    n_mutants: int = 0
    n_pairs: int = 0
    n_executed: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    rejected_problems: list[str] = field(default_factory=list)
    failing_canaries: list[str] = field(default_factory=list)
    not_judged: list[str] = field(default_factory=list)


@one_at_a_time("execute", "a run of programs")
def mutate(spec: MutateSpec, *, progress: bool = True) -> MutateReport:
    """Search the references of a dataset for the mutations and run every mutant.

    Only what is missing is done. Raises BadInput for a dataset of repairs, and AssayError for one
    that is not there.
    """
    fit(spec)
    drain_leftovers()
    dataset, settings = spec.dataset, spec.settings()
    how = Conditions(spec.workers, spec.isolation, settings, progress)
    report = MutateReport(dataset)
    environments = Environments(how)
    admit_dataset(dataset, how, environments)
    wanted = _wanted(dataset, spec.mutations, report)
    if wanted:
        with recorded("mutate", settings=settings) as run, Spool(run) as spool:
            n_workers = spec.workers if len(wanted) >= PROBLEMS_WORTH_A_POOL else 1
            n_workers = min(n_workers, os.cpu_count() or 1)
            with closing(in_processes(_mutated, wanted, n_workers)) as results:
                for rows in track(results, len(wanted), f"mutate {dataset}", enabled=progress):
                    spool.put((table, {**row, "run_id": run.run_id}) for table, row in rows)
                    _count(rows, report)
            run.summary |= {"searched": report.n_searched, "mutants": report.n_mutants}
    judged = ExecuteReport()
    run_pending(judged, dataset, POLICY.label, environments)
    report.n_executed, report.verdicts = judged.n_executed, judged.verdicts
    report.failing_canaries = judged.failing_canaries
    report.not_judged = environments.not_judged
    return report


def admit_dataset(
    dataset: str, how: Conditions, environments: Environments | None = None
) -> list[str]:
    """Measure all references of a dataset's newest release; return the tasks newly rejected."""
    with reading() as con:
        require(con, dataset)
        ids = newest_ids(con, dataset)
    settings = {"dataset": dataset, "policy": POLICY.label, "isolation": how.isolation}
    how = replace(how, settings=settings)
    return admit(ids, POLICY, how, environments or Environments(how))


def fit(spec: MutateSpec) -> None:
    """Raise BadValue for a dataset without reference programs."""
    kind = kind_of(spec.dataset)
    if not kind.references_run:
        reason = f"{spec.dataset} holds repairs: it has no reference program to mutate"
        raise BadValue("dataset", reason)
    if kind.language != PYTHON:
        reason = f"{spec.dataset} is in {kind.language}: mutations read Python alone"
        raise BadValue("dataset", reason)


Wanted = tuple[dict[str, Any], str, list[mutants.Scan]]


def _wanted(dataset: str, mutations: Sequence[str], report: MutateReport) -> list[Wanted]:
    """Return each problem with its admission and the searches that its reference still lacks."""
    searches = mutants.scans(list(dict.fromkeys(mutations)))
    with reading() as con:
        problems = newest_problems(con, dataset)
        done = done_scans(con)
        admitted = {found.problem_id: found for found in admissions(con, rules_of(POLICY.label))}
    problems = [problem for problem in problems if problem.has_reference]
    report.n_problems = len(problems)
    wanted: list[Wanted] = []
    for problem in problems:
        admission = admitted.get(problem.problem_id)
        if admission is None or admission.mode == REJECTED:
            report.rejected_problems.append(problem.task_id)
            continue
        lacking = [scan for scan in searches if scan.key(problem.problem_id) not in done]
        report.n_present += len(searches) - len(lacking)
        if lacking:
            wanted.append((vars(problem), admission.admission_id, lacking))
    return wanted


def _mutated(given: Wanted) -> list[mutants.Made]:
    return mutants.mutate(*given)


def _count(rows: Sequence[mutants.Made], report: MutateReport) -> None:
    tables = Counter(table for table, _ in rows)
    report.n_mutants += tables[Mutant]
    report.n_searched += tables[MutationScan]
    for table, row in rows:
        if table is MutationScan:
            report.n_sites += row["n_sites"]
            report.n_declined += row["n_declined"]
            report.n_unreadable += row["unreadable_code"] is not None
        elif table is MutationPair:
            report.n_pairs += row["decline_code"] is None
