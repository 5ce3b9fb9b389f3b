"""Made-up curves for a warehouse of calibration: applying them is what is tested."""

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from models.base import Row
from models.tables import CalibrationFit, CalibrationFold, KfoldOrder
from tests.support.oracles.calibration import ScoredPair, isotonic
from tests.support.oracles.calibration_curves import curve_between, folds_v1, sigmoid
from warehouse.frames import name_of, schema_of
from warehouse.store.connection import reading, writing

SEEDS = range(20)
FITTED = ("platt", "temperature", "isotonic")


@dataclass(frozen=True)
class Line:
    """A made-up curve of either kind."""

    slope: float | None = None
    intercept: float | None = None
    steps: tuple[list[float], list[float]] | None = None

    def at(self, p: float, x: float) -> float:
        if self.steps is not None:
            return curve_between(*self.steps, p)
        assert self.slope is not None
        assert self.intercept is not None
        return sigmoid(self.slope * x + self.intercept)


@dataclass
class Measured:
    """A calibration subject as the warehouse has it, and the curves made up for it."""

    lm: str
    version: int
    measure: str
    keys: tuple[str, str, str]
    pairs: list[ScoredPair] = field(default_factory=list)
    x: list[float] = field(default_factory=list)
    state: str = "absent"
    curves: dict[tuple[str, int | None, int | None], Line] = field(default_factory=dict)
    folds: dict[str, list[int]] = field(default_factory=dict)

    def fold_of(self, seed: int | None) -> list[int]:
        if self.version == 1:
            return folds_v1(len(self.pairs))
        assert seed is not None
        return [self.folds[q.problem][seed] for q in self.pairs]

    def scaled(self, rescaler: str, seed: int) -> list[ScoredPair]:
        """The rows, each under the curve of the fold it was held out of."""
        rows = zip(self.pairs, self.x, self.fold_of(seed), strict=True)
        return [
            ScoredPair(self.curves[rescaler, seed, fold].at(q.p, x), q.y, q.w, q.problem, q.name)
            for q, x, fold in rows
        ]


def measured(path: Path) -> dict[tuple[str, int, str], Measured]:
    """Read the subjects and their rows as the views have them."""
    with reading(path) as con:
        subjects = con.execute(
            """
            select subject_no, lm_id, version, measure, subject_key, split_key, input_key
            from calibration_subjects_v1
            """
        ).fetchall()
        rows = con.execute(
            """
            select subject_no, p, x, y, w, problem_id
            from calibration_pairs_v1
            order by subject_no, position
            """
        ).fetchall()
    by_number = {row[0]: Measured(*row[1:4], row[4:]) for row in subjects}
    for number, p, x, y, w, problem in rows:
        subject = by_number[number]
        subject.pairs.append(ScoredPair(p, y, w, problem, f"{len(subject.pairs):06d}"))
        subject.x.append(x)
    return {(s.lm, s.version, s.measure): s for s in by_number.values()}


def make_up_curves(path: Path, subjects: dict[tuple[str, int, str], Measured], seed: int) -> None:
    """Store random curves and folds for many subjects: some stale, some with a gap, some failed."""
    rng = random.Random(seed)
    fits: list[dict[str, Any]] = []
    orders: dict[int, dict[str, Any]] = {}
    splits: dict[str, dict[str, list[int]]] = {}
    for (lm, version, measure), subject in sorted(subjects.items()):
        problems = {q.problem for q in subject.pairs}
        if version == 2 and subject.pairs:
            steps = _steps(subject.pairs)
            _store(fits, subject, "isotonic", None, None, Line(steps=steps))
            _store(fits, subject, "platt", None, None, _line(rng, "platt"))
        wanted = version == 1 or measure == "verbalized" or lm.endswith(("clusters", "usual"))
        if version == 2 and measure not in ("verbalized", "total_prob", "ask_tf"):
            wanted = False
        if not wanted or len(subject.pairs) < 5 or (version == 2 and len(problems) < 5):
            continue
        subject.state = rng.choice(["fitted"] * 12 + ["absent", "stale", "gap", "failed"])
        if version == 1:
            n = len(subject.pairs)
            orders[n] = {
                "order_id": f"order{n}", "n_rows": n, "seed": 42, "folds": folds_v1(n),
                "library": "made up", "run_id": "r0",
            }  # fmt: skip
        else:
            drawn = splits.setdefault(subject.keys[1], {})
            for problem in sorted(problems):
                drawn.setdefault(problem, [rng.randrange(5) for _ in SEEDS])
            subject.folds = drawn
        if subject.state == "absent":
            continue
        rescalers = FITTED[: 1 if version == 1 else 3 if measure == "verbalized" else 2]
        gap = rng.randrange(5)
        for rescaler in rescalers:
            for fold_seed in (42,) if version == 1 else SEEDS:
                for fold in range(5):
                    broken = fold == gap and fold_seed in (42, 7)
                    if broken and subject.state == "gap":
                        continue
                    line = _line(rng, rescaler)
                    if broken and subject.state == "failed":
                        line = Line()
                    _store(fits, subject, rescaler, fold_seed, fold, line)
    folds = [
        {
            "fold_id": f"{key}.{problem}", "split_key": key, "problem_id": problem,
            "folds": drawn, "library": "made up", "run_id": "r0",
        }
        for key, split in splits.items() for problem, drawn in split.items()
    ]  # fmt: skip
    insert(path, CalibrationFit, fits)
    insert(path, CalibrationFold, folds)
    insert(path, KfoldOrder, list(orders.values()))


def insert(path: Path, table: type[Row], rows: list[dict[str, Any]]) -> None:
    """Put rows into a raw table as they are, past the gate."""
    import pyarrow as pa

    with writing(path) as con:
        con.register("made", pa.Table.from_pylist(rows, schema=schema_of(table)))
        con.execute(f"insert into raw.{name_of(table)} by name select * from made")


def _line(rng: random.Random, rescaler: str) -> Line:
    if rescaler == "isotonic":
        places = sorted(rng.random() for _ in range(rng.randint(1, 6)))
        return Line(steps=(places, sorted(rng.random() for _ in places)))
    intercept = rng.gauss(0, 1) if rescaler == "platt" else 0.0
    return Line(rng.choice([0.0, rng.gauss(0.8, 1), rng.gauss(0.8, 0.3)]), intercept)


def _steps(pairs: list[ScoredPair]) -> tuple[list[float], list[float]]:
    level = {q.p: y for q, y in zip(pairs, isotonic(pairs), strict=True)}
    return list(level), list(level.values())


def _store(
    fits: list[dict[str, Any]],
    subject: Measured,
    rescaler: str,
    seed: int | None,
    fold: int | None,
    line: Line,
) -> None:
    subject_key, _, input_key = subject.keys
    subject.curves[rescaler, seed, fold] = line
    failed = line == Line()
    stale = subject.state == "stale" and seed is not None
    fits.append(
        {
            "fit_id": f"{subject_key}.{rescaler}.{seed}.{fold}", "subject_key": subject_key,
            "input_key": "0" * 32 if stale else input_key,
            "rescaler": rescaler, "fold_seed": seed, "fold": fold, "slope": line.slope,
            "intercept": line.intercept, "steps_x": line.steps and line.steps[0],
            "steps_y": line.steps and line.steps[1], "n_train": len(subject.pairs),
            "n_positive": sum(q.y for q in subject.pairs), "flag": None,
            "null_reason": "fit_failed" if failed else None, "library": "made up", "run_id": "r0",
        }
    )  # fmt: skip
