"""Fit what the calibration views apply and estimate what SQL does not; only what is missing.

SQL says what there is to fit (calibration_subjects) and on which scores and labels
(calibration_pairs). A subject whose scores or labels changed has another input_key and is fitted
again; rows of the old one stay and are no longer read.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from itertools import groupby
from typing import TYPE_CHECKING, Any

import duckdb

from models.base import Row
from models.keys import content_key
from models.tables import CalibrationFit, CalibrationFold, Estimate, KfoldOrder
from models.words import ENOUGH_ROWS, ENOUGH_SPLITS, MOST_SPLITS, N_FOLDS, ROWS_RESCALED
from runners.problems import require, require_lm
from runners.progress import track
from runners.specs import CalibrateSpec
from runners.workers import in_processes
from warehouse.errors import AssayError, BadInput
from warehouse.facts.claims import claimed_datasets, claimed_language_models
from warehouse.facts.measuring import (
    ClaimedSubject,
    DuePairing,
    KnownSubject,
    calibration_pairings,
    calibration_subjects,
    claimed_pairs,
    claimed_subjects,
    estimated,
    subject_pairs,
)
from warehouse.store.connection import reading
from warehouse.store.locks import one_at_a_time
from warehouse.store.runs import recorded
from warehouse.store.spool import Spool, drain_leftovers
from warehouse.views.build import BuildSpec, build

if TYPE_CHECKING:
    from runners.measuring.calibration.estimates import Estimated
    from runners.measuring.calibration.paired import PairFound, PairsDue
    from runners.measuring.calibration.split import Split, SplitFound

ROWS_AT_ONCE = 2_000_000
ROWS_WORTH_A_POOL = 60_000


@dataclass(frozen=True)
class PendingSubject:
    """A subject of which something is missing."""

    known: KnownSubject
    seeds: tuple[int, ...]
    full: bool
    estimates: bool


@dataclass
class CalibrateReport:
    """What one call added; a group of subjects shares its splits."""

    n_subjects: int = 0
    n_groups: int = 0
    n_fits: int = 0
    n_estimates: int = 0
    n_paired: int = 0
    n_claimed: int = 0


@one_at_a_time("calibrate", "calibration")
def calibrate(spec: CalibrateSpec, *, progress: bool = True) -> CalibrateReport:
    """Fit and estimate every calibration subject that lacks it, and append the rows.

    The views are built first, for they say what there is. The next build makes what changes by the
    new rows. What is there stays as it is, whatever library or number of replicates it was made
    with. Interrupted, it continues where it stopped.
    """
    drain_leftovers()
    with reading() as con:
        if spec.lm is not None and spec.lm not in claimed_language_models(con):
            require_lm(con, spec.lm)
        if spec.dataset is not None and spec.dataset not in claimed_datasets(con):
            require(con, spec.dataset)
    build(BuildSpec())
    with reading() as con:
        pending = list(_pending(con, spec))
        pairings = _pairings_due(con, spec) if spec.intervals else []
        claims = list(_claims_due(con, spec)) if spec.intervals else []
    report = CalibrateReport()
    if not pending and not pairings and not claims:
        return report
    n_groups = len({one.known.split_key for one in pending})
    small = sum(one.known.n_used for one in pending) < ROWS_WORTH_A_POOL
    with recorded("calibrate", settings=spec.settings()) as run, Spool(run) as spool:
        spool.add(_orders(pending, run.run_id))
        splits = _splits(pending, spec)
        with closing(in_processes(_work, splits, 1 if small else spec.workers)) as results:
            for done in track(results, n_groups, "calibrate", enabled=progress):
                spool.put(_rows(done, run.run_id))
                report.n_groups += 1
                report.n_subjects += len(done.found)
                report.n_fits += sum(len(found.fits) for found in done.found)
                report.n_estimates += sum(len(found.estimates) for found in done.found)
        groups = _groups(pairings, spec.replicates)
        small = sum(one.n_used_a + one.n_used_b for one in pairings) < ROWS_WORTH_A_POOL
        with closing(in_processes(_work_pairs, groups, 1 if small else spec.workers)) as paired:
            for pairs in paired:
                spool.put(_paired_rows(pairs, run.run_id))
                report.n_paired += len(pairs)
        claimed = _claimed_rows(claims, spec.replicates, run.run_id)
        for rows in track(claimed, len(claims), "calibrate claims", enabled=progress):
            spool.put(rows)
            report.n_claimed += 1
        numbers = {"subjects": report.n_subjects, "pairs": report.n_paired}
        run.summary |= numbers | {"claimed": report.n_claimed}
    return report


def _pending(con: duckdb.DuckDBPyConnection, spec: CalibrateSpec) -> Iterator[PendingSubject]:
    from runners.measuring.calibration.estimates import INTERVALS

    found = calibration_subjects(con, spec.lm, spec.dataset)
    named = spec.lm or spec.dataset
    if named and not found and not claimed_subjects(con, spec.lm, spec.dataset):
        of = " and ".join(name for name in (spec.lm, spec.dataset) if name)
        reason = "no judged answer and no claim has a confidence"
        raise BadInput(f"there is nothing to calibrate of {of}: {reason}")
    made = estimated(con, INTERVALS)
    for subject in found:
        n_splits = splits_of(subject.n_used, spec.seeds)
        wanted = set(range(n_splits)) if subject.n_clusters >= N_FOLDS else set()
        full = subject.version == 2 and not subject.has_full
        if subject.version == 1:
            from runners.measuring.calibration.split import V1_SEEDS

            wanted = set(V1_SEEDS)
        missing = tuple(sorted(wanted - set(subject.seeds)))
        estimates = spec.intervals and (subject.subject_key, subject.input_key) not in made
        if missing or full or estimates:
            yield PendingSubject(subject, missing, full, estimates)


def _pairings_due(con: duckdb.DuckDBPyConnection, spec: CalibrateSpec) -> list[DuePairing]:
    from runners.measuring.calibration.paired import METHOD

    return calibration_pairings(con, spec.lm, spec.dataset, METHOD)


def _claims_due(con: duckdb.DuckDBPyConnection, spec: CalibrateSpec) -> Iterator[ClaimedSubject]:
    from runners.measuring.calibration.estimates import CLAIMED_INTERVALS

    made = estimated(con, CLAIMED_INTERVALS)
    for subject in claimed_subjects(con, spec.lm, spec.dataset):
        if (subject.subject_key, subject.input_key) not in made:
            yield subject


def splits_of(n_rows: int, most: int) -> int:
    """Return into how many random splits a subject's rows are held out, 1 to ``most``.

    Metrics are means over splits, which average out the chance of one. That chance shrinks with the
    rows. So many splits mostly leave it below a tenth of the sampling error (docs/measured.md). The
    views read no more, whatever a warehouse holds.
    """
    enough = max(ENOUGH_SPLITS, ENOUGH_ROWS // n_rows)
    return max(1, min(most, enough, ROWS_RESCALED // n_rows))


def _splits(pending: list[PendingSubject], spec: CalibrateSpec) -> "Iterator[Split]":
    """Read the pairs of so many splits at once as fit in memory, and yield the splits."""
    batch: list[list[PendingSubject]] = []
    n_rows = 0
    for _, members in groupby(pending, key=lambda one: one.known.split_key):
        batch.append(list(members))
        n_rows += sum(one.known.n_used for one in batch[-1])
        if n_rows >= ROWS_AT_ONCE:
            yield from _read_splits(batch, spec)
            batch, n_rows = [], 0
    yield from _read_splits(batch, spec)


def _read_splits(batch: list[list[PendingSubject]], spec: CalibrateSpec) -> "Iterator[Split]":
    import numpy as np

    from runners.measuring.calibration.split import Split, Subject

    wanted = [one.known.subject_no for members in batch for one in members]
    with reading() as con:
        found = subject_pairs(con, wanted)
    pairs = {name: found[name].to_numpy() for name in ("subject_no", "p", "x", "y", "w")}
    coded = found["problem_id"].combine_chunks().dictionary_encode()
    names, problem_no = coded.dictionary.to_pylist(), coded.indices.to_numpy()
    starts = dict(zip(*np.unique(pairs["subject_no"], return_index=True), strict=True))
    for members in batch:
        subjects = []
        problems: list[str] = []
        for one in members:
            known = one.known
            rows = slice(starts[known.subject_no], starts[known.subject_no] + known.n_used)
            numbers, place = np.unique(problem_no[rows], return_inverse=True)
            problems = sorted(names[number] for number in numbers)
            rank = {name: i for i, name in enumerate(problems)}
            problem = np.array([rank[names[number]] for number in numbers])[place]
            p, x, y, w = (np.asarray(pairs[name][rows]) for name in ("p", "x", "y", "w"))
            if not np.isfinite(x).all():
                raise AssayError(f"subject {known.subject_key} has a score without a logit")
            subjects.append(
                Subject(
                    known.subject_key,
                    known.input_key,
                    known.version,
                    *(problem, p, x, y, w),
                    seeds=one.seeds,
                    full=one.full,
                    estimates=one.estimates,
                )
            )
        # all there can be, however many are asked for: isotonic curves need rows in each of them
        most = max(splits_of(one.known.n_used, MOST_SPLITS) for one in members)
        yield Split(members[0].known.split_key, problems, subjects, spec.replicates, most)


def _groups(pairings: list[DuePairing], replicates: int) -> "Iterator[PairsDue]":
    """Read the rows of pairs of one release, notion and measure, and yield what to compare."""
    from runners.measuring.calibration.paired import PairDue, PairsDue, scored_subjects

    for _, members in groupby(pairings, key=lambda one: (one.release_id, one.notion, one.measure)):
        due = [
            PairDue(one.pair_key, one.pair_input_key, one.subject_no_a, one.subject_no_b)
            for one in members
        ]
        wanted = sorted({no for one in due for no in (one.subject_no_a, one.subject_no_b)})
        with reading() as con:
            subjects = scored_subjects(subject_pairs(con, wanted))
        yield PairsDue(subjects, due, replicates)


def _work_pairs(group: "PairsDue") -> "list[PairFound]":
    from runners.measuring.calibration.paired import work

    return work(group)


def _paired_rows(
    pairs: "list[PairFound]", run_id: str
) -> Iterator[tuple[type[Row], dict[str, Any]]]:
    """Yield the estimates of pairs: the common problems, and five numbers per statistic."""
    from runners.measuring.calibration.paired import METHOD

    library = _libraries()["numpy"]
    for found in pairs:
        key = {"subject_key": found.due.pair_key, "input_key": found.due.input_key}
        made: list[dict[str, Any]] = [{"statistic": "n_common", "value": float(found.n_common)}]
        for one in found.compared:
            interval = one.interval
            numbers = {"a": one.value_a, "b": one.value_b}
            numbers |= {"error": one.standard_error, "p": one.p_value}
            made += [
                {"statistic": f"{one.statistic}_{name}", "value": value}
                for name, value in numbers.items()
            ]
            made.append(
                {
                    "statistic": f"{one.statistic}_difference",
                    "value": one.difference,
                    "low": interval.low,
                    "high": interval.high,
                    "null_reason": interval.null_reason,
                }
            )
        absent = dict.fromkeys(("value", "low", "high", "n_dropped", "null_reason", "n_replicates"))
        for each in made:
            names = (*key.values(), "none", each["statistic"], METHOD, found.seed)
            made_by = {"rescaler": "none", "method": METHOD, "seed": found.seed, "library": library}
            yield Estimate, {
                "estimate_id": content_key(*names), **absent, **key, **made_by, **each,
                "run_id": run_id,
            }  # fmt: skip


def _work(split: "Split") -> "SplitFound":
    from runners.measuring.calibration.split import work

    return work(split)


def _rows(done: "SplitFound", run_id: str) -> Iterator[tuple[type[Row], dict[str, Any]]]:
    """Yield the rows of a split as table and values: there are hundreds for each subject."""
    libraries = _libraries()
    grouped = {"library": libraries["grouped"], "run_id": run_id}
    for problem_id, folds in zip(done.problems, done.folds, strict=bool(done.folds)):
        yield (
            CalibrationFold,
            {
                "fold_id": content_key(
                    done.split_key, problem_id, libraries["grouped"], len(folds)
                ),
                "split_key": done.split_key,
                "problem_id": problem_id,
                "folds": folds,
                **grouped,
            },
        )
    for found in done.found:
        subject = {"subject_key": found.subject_key, "input_key": found.input_key}
        key = tuple(subject.values())
        for fit in found.fits:
            library = libraries["isotonic" if fit.rescaler == "isotonic" else f"v{found.version}"]
            yield (
                CalibrationFit,
                {
                    "fit_id": content_key(*key, fit.rescaler, fit.fold_seed, fit.fold, library),
                    **subject,
                    "rescaler": fit.rescaler,
                    "fold_seed": fit.fold_seed,
                    "fold": fit.fold,
                    **vars(fit.curve),
                    "library": library,
                    "run_id": run_id,
                },
            )
        for rescaler, made in found.estimates:
            yield Estimate, _estimate(subject, rescaler, made, run_id)


def _claimed_rows(
    due: list[ClaimedSubject], replicates: int, run_id: str
) -> Iterator[list[tuple[type[Row], dict[str, Any]]]]:
    """Yield the estimates of each subject: problems are tasks, and labels are what is claimed."""
    from runners.measuring.calibration.bootstrap import resample
    from runners.measuring.calibration.estimates import SubjectRows, of_claims
    from runners.measuring.calibration.paired import scored_subjects

    if not due:
        return
    with reading() as con:
        subjects = scored_subjects(claimed_pairs(con, [one.subject_key for one in due]))
    for place, one in enumerate(due, 1):
        found = subjects[place]
        rows = SubjectRows(found.p, found.y, found.w, found.problem)
        subject = {"subject_key": one.subject_key, "input_key": one.input_key}
        estimates = of_claims(rows, resample([*found.problems], replicates))
        yield [(Estimate, _estimate(subject, "none", made, run_id)) for made in estimates]


def _estimate(
    subject: dict[str, str], rescaler: str, made: "Estimated", run_id: str
) -> dict[str, Any]:
    """Return the row of one estimate."""
    key = (*subject.values(), rescaler, made.statistic, made.method, made.seed)
    return {
        "estimate_id": content_key(*key),
        **subject,
        **{name: value for name, value in vars(made).items() if name != "interval"},
        "rescaler": rescaler,
        "low": made.interval.low if made.interval else None,
        "high": made.interval.high if made.interval else None,
        "n_dropped": None,
        "library": _libraries()["numpy"],
        "run_id": run_id,
    }


def _orders(pending: list[PendingSubject], run_id: str) -> Iterator[KfoldOrder]:
    """Yield version 1's folds by position, for each number of rows."""
    from runners.measuring.calibration.folds import KFOLD_SEED, kfold_order

    library = _libraries()["kfold"]
    for n_rows in sorted({one.known.n_used for one in pending if one.known.version == 1}):
        if n_rows >= N_FOLDS:
            yield KfoldOrder(
                order_id=content_key(n_rows, KFOLD_SEED, library),
                n_rows=n_rows,
                seed=KFOLD_SEED,
                folds=kfold_order(n_rows).tolist(),
                library=library,
                run_id=run_id,
            )


@cache
def _libraries() -> dict[str, str]:
    """Return what made each kind of row: library, version and algorithm."""
    numpy, sklearn = (f"{name} {metadata.version(name)}" for name in ("numpy", "scikit-learn"))
    return {
        "numpy": numpy,
        "v1": f"{sklearn}, LogisticRegression lbfgs",
        "v2": f"{numpy}, Newton",
        "isotonic": f"{sklearn}, IsotonicRegression",
        "kfold": f"{sklearn}, KFold",
        "grouped": f"{numpy}, StratifiedGroupKFold",
    }
