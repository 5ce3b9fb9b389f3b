"""Warehouses for calibration: many small language models in one, each a data set of its own."""

import json
import math
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from models.base import Row
from models.tables import CalibrationFit, CalibrationFold, KfoldOrder
from tests.support.oracles.calibration import (
    Pair,
    Positions,
    curve_between,
    folds_v1,
    isotonic,
    sigmoid,
)
from tests.support.worlds.world import World
from warehouse.frames import name_of, schema_of
from warehouse.store.connection import reading, writing

TEMPLATES = ("verbalized_v1", "verbalized_v2", "ask_tf_v1")
KINDS = (
    "usual",
    "tied",
    "clusters",
    "edges",
    "all_right",
    "all_wrong",
    "constant",
    "extreme",
    "nulls",
    "empty",
    "single",
    "flat",
)
N_PROBLEMS = 24


class CalibrationWorld(World):
    """A world of judged generations, what was asked about them and what the answers said."""

    def __init__(self) -> None:
        super().__init__()
        self.judged: dict[str, dict[str, Any]] = {}

    def problems(self, release_id: str, dataset: str, n: int, lengths: list[int]) -> list[str]:
        """A release whose reference solutions have these lengths, each with its three programs."""
        names = self.release(release_id, dataset, n, "r0")
        for row in self.raw["problem"]:
            if row["release_id"] == release_id:
                row["reference"] = "x" * lengths[row["position"] % len(lengths)]
        for problem in names:
            admission = self.admission(problem, "calibrated", "split", "r0")
            self.canary("x0", problem)
            for verdict in ("passed", "failed", "harness_fault"):
                program = self.program(f"c.{problem}.{verdict}", problem, admission)
                self.outcome(program, 1, verdict, "x0")
        return names

    def asking(self) -> None:
        """The settings: one to answer, one for each way to ask about an answer."""
        self.setting("s1")
        for template in TEMPLATES:
            self.setting(f"s.{template}", task="reflection", temperature=1.0)
            self.raw["setting"][-1] |= {"prompt_kind": template, "style": "solution"}

    def answer(
        self,
        lm: str,
        problem: str,
        index: int,
        verdict: str | None,
        *,
        logprobs: list[float | None] | None = None,
        kept: list[bool] | None = None,
        length: int = 40,
        finish_reason: str | None = "stop",
    ) -> str:
        """A judged generation; without a verdict it waits for execution."""
        name = self.generation(lm, "s1", problem, index)
        self.judged[name] = self.raw["generation"][-1]
        self.judged[name]["finish_reason"] = finish_reason
        self._said(name, "y" * length)
        self._request(name, "original")
        if logprobs is not None:
            self._tokens(name, logprobs, kept)
        if verdict is not None:
            candidate = f"c.{problem}.{verdict}"
            self.evaluation(
                name, problem, candidate, f"q.{candidate}.a.calibrated.{problem}.r0", "x0"
            )
        return name

    def states(self, parent: str, reader: str, values: list[float | None]) -> None:
        """Attempts at a stated probability, in order, as they were read."""
        for attempt, value in enumerate(values):
            name = self._reflection(parent, reader, attempt, "?" if value is None else str(value))
            self.add(
                "reflection_reading", (name, reader), reading_id=f"{name}.{reader}",
                generation_id=name, reader=reader, value=value,
                rule=None if value is None else "R1",
                null_reason="parse_fail" if value is None else None,
            )  # fmt: skip

    def says_true_or_false(self, parent: str, positions: Positions | None) -> None:
        """A true/false answer with the alternatives at each of its positions."""
        name = self._reflection(parent, "ask_tf_v1", 0, "True")
        if positions is not None:
            first = [(entry or [("?", -0.1)])[0] for entry in positions]
            self._tokens(name, [logprob for _, logprob in first], None, [t for t, _ in first])
            self.raw["token_logprob"][-1]["top_logprobs"] = json.dumps(positions)

    def _reflection(self, parent: str, template: str, attempt: int, text: str) -> str:
        name = f"{parent}.{template}.{attempt}"
        self.add(
            "generation", name,
            **{**self.judged[parent], "generation_id": name, "setting_id": f"s.{template}",
               "sample_index": attempt, "parent_generation_id": parent, "text_key": name},
        )  # fmt: skip
        self._said(name, text)
        self._request(name, template)
        return name

    def _said(self, name: str, text: str) -> None:
        self.add(
            "generation_text", name, generation_id=name, raw_text=text, kept_text=text,
            kept_rule="whole",
        )  # fmt: skip

    def _request(self, name: str, template: str) -> None:
        self.add(
            "generation_request", name, generation_id=name, template=template,
            template_key=template, prompt_key=name, endpoint_id=None, n_attempts=1,
        )  # fmt: skip

    def _tokens(
        self,
        name: str,
        logprobs: list[float | None],
        kept: list[bool] | None,
        tokens: list[str] | None = None,
    ) -> None:
        self.add(
            "token_logprob", name, generation_id=name,
            tokens=tokens or [f"t{i}" for i in range(len(logprobs))],
            logprobs=logprobs, kept=kept or [True] * len(logprobs), top_logprobs=None,
            cumulative_logprob=None,
        )  # fmt: skip


def many_small_sets(seed: int, n_lms: int = 1000) -> CalibrationWorld:
    """Draw language models of a dozen answers each, of every kind that can go wrong."""
    rng = random.Random(seed)
    world = CalibrationWorld()
    world.run("r0", 0, "ingest")
    world.run("x0", 1)
    world.asking()
    problems = world.problems("toy1", "toy", N_PROBLEMS, [20, 80, 35, 61])
    for number in range(n_lms):
        kind = KINDS[number % len(KINDS)]
        _small_set(world, rng, world.lm(f"lm{number:04d}.{kind}"), kind, problems)
    for rows in world.raw.values():
        rng.shuffle(rows)  # row order never matters
    return world


def _small_set(
    world: CalibrationWorld, rng: random.Random, lm: str, kind: str, problems: list[str]
) -> None:
    n = {"single": 1, "flat": N_PROBLEMS}.get(kind, rng.randint(2, 14))
    constant = rng.choice([0.0, 0.3, 0.5, 0.95, 1.0])
    slots = [(problem, 0) for problem in problems]
    if kind == "clusters":
        few = rng.sample(problems, 5)
        slots = [(problem, index) for problem in few for index in range(rng.randint(1, 5))]
    for problem, index in rng.sample(slots, min(n, len(slots))):
        p = {
            "tied": rng.randint(0, 4) / 4,
            "edges": abs(min(1.0, rng.randint(0, 10) / 10 + rng.choice([0, 3e-8, -3e-8, 2e-7]))),
            "extreme": float(rng.random() < 0.5),
            "constant": constant,
            "flat": rng.uniform(0.9, 0.99),
        }.get(kind, rng.random())  # fmt: skip
        right = rng.random() < (0.5 if kind in ("constant", "extreme") else 0.15 + 0.7 * p)
        right = {"all_right": True, "all_wrong": False}.get(kind, right)
        verdict: str | None = "passed" if right else "failed"
        unknown = {"empty": 1.0, "nulls": 0.4}.get(kind, 0.03)
        if rng.random() < unknown:
            verdict = rng.choice([None, "harness_fault"])
        name = world.answer(
            lm, problem, index, verdict,
            **_tokens(rng, kind, p),
            length=rng.choice([10, 20, 40, 40, 61, 80, 100]),
        )  # fmt: skip
        _asked(world, rng, name, kind, p)


def _tokens(rng: random.Random, kind: str, p: float) -> dict[str, Any]:
    """Log-probabilities about p, some dropped after truncation, some of them broken."""
    if kind == "nulls" and rng.random() < 0.3:
        return {"logprobs": None}
    n = rng.randint(1, 5)
    logprobs: list[float | None] = []
    for _ in range(n):
        share = p if kind in ("constant", "extreme", "tied") else min(1.0, p * rng.uniform(0.7, 1))
        logprobs.append(math.log(share) if share else -9999.0)
    kept = [True] * n
    if rng.random() < 0.4:  # a stop token, or a tail cut off
        cut = rng.randint(1, 2)
        logprobs += [-rng.random() for _ in range(cut)]
        kept += [False] * cut
    if kind == "nulls" and rng.random() < 0.3:
        broken = rng.randrange(len(kept))
        if rng.random() < 0.5:
            logprobs[broken] = None
        else:
            kept = [False] * len(kept)
    return {
        "logprobs": logprobs,
        "kept": kept,
        "finish_reason": rng.choice(["stop", "stop", "length", None]),
    }


def _asked(world: CalibrationWorld, rng: random.Random, name: str, kind: str, p: float) -> None:
    missing = 0.4 if kind == "nulls" else 0.02
    for reader in ("verbalized_v1", "verbalized_v2"):
        if rng.random() < missing:
            continue
        failed = [None] * rng.choice([0, 0, 0, 0, 1, 2, 4])
        values: list[float | None] = [*failed, p][:4]
        world.states(name, reader, values)
    if rng.random() >= missing:
        world.says_true_or_false(name, _positions(rng, kind, p))


def _positions(rng: random.Random, kind: str, p: float) -> Positions | None:
    if kind == "nulls" and rng.random() < 0.3:
        return rng.choice([None, [[("maybe", -0.2)]], [None, [("False", -0.7)]]])
    true, false = max(p, 1e-9), max(1 - p, 1e-9)
    split = rng.uniform(0.5, 1)
    entries = [
        (" True", math.log(true * split)),
        ("true", math.log(true * (1 - split) + 1e-12)),
        ("False", math.log(false * 0.9)),
        (" untrue", math.log(false * 0.05)),
        ("\tTrue\n", math.log(true * 0.01)),
        ("TrueFalse", math.log(false * 0.04)),
        ("TRUE", math.log(true * 1e-3)),
    ]
    if kind == "extreme":
        entries = [entries[0]] if p else [entries[2]]
    entries = sorted(entries, key=lambda entry: -entry[1])[: rng.choice([4, 5, 6])]
    second = [("\n", -0.1), (rng.choice(["TRUE", "false", "x"]), -rng.uniform(0.5, 3))]
    return [entries, second][: rng.choice([1, 2, 2])]


def written(world: World, folder: Path) -> Path:
    """Write the warehouse of a home."""
    folder.mkdir(parents=True, exist_ok=True)
    world.write(folder / "warehouse.duckdb")
    return folder / "warehouse.duckdb"


# --- curves with nothing to do with the data: applying them is what is tested -------------------

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
    pairs: list[Pair] = field(default_factory=list)
    x: list[float] = field(default_factory=list)
    state: str = "absent"
    curves: dict[tuple[str, int | None, int | None], Line] = field(default_factory=dict)
    folds: dict[str, list[int]] = field(default_factory=dict)

    def fold_of(self, seed: int | None) -> list[int]:
        if self.version == 1:
            return folds_v1(len(self.pairs))
        assert seed is not None
        return [self.folds[q.problem][seed] for q in self.pairs]

    def scaled(self, rescaler: str, seed: int) -> list[Pair]:
        """The rows, each under the curve of the fold it was held out of."""
        rows = zip(self.pairs, self.x, self.fold_of(seed), strict=True)
        return [
            Pair(self.curves[rescaler, seed, fold].at(q.p, x), q.y, q.w, q.problem, q.name)
            for q, x, fold in rows
        ]


def measured(path: Path) -> dict[tuple[str, int, str], Measured]:
    """Read the subjects and their rows as the views have them."""
    with reading(path) as con:
        subjects = con.execute(
            """
            select subject_no, lm_id, version, measure, subject_key, split_key, input_key
            from intermediate.int_calibration_subject
            """
        ).fetchall()
        rows = con.execute(
            """
            select pair.subject_no, pair.p, pair.x, pair.y, pair.w, problem.problem_id,
            from intermediate.int_calibration_pair as pair
            inner join intermediate.int_problem_numbered as problem using (problem_no)
            order by pair.subject_no, pair.position
            """
        ).fetchall()
    by_number = {row[0]: Measured(*row[1:4], row[4:]) for row in subjects}
    for number, p, x, y, w, problem in rows:
        subject = by_number[number]
        subject.pairs.append(Pair(p, y, w, problem, f"{len(subject.pairs):06d}"))
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


def _steps(pairs: list[Pair]) -> tuple[list[float], list[float]]:
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


# --- a small world with published numbers -------------------------------------------------------


def published_world(sets: dict[str, list[Pair]]) -> CalibrationWorld:
    """Language models that state exactly these confidences, in every way they can be asked."""
    world = CalibrationWorld()
    world.run("r0", 0, "ingest")
    world.run("x0", 1)
    world.asking()
    problems = world.problems("toy1", "toy", N_PROBLEMS, [20, 80, 35, 61])
    for lm, pairs in sets.items():
        world.lm(lm)
        taken: dict[str, int] = {}
        for number, q in enumerate(pairs):
            # a name that no problem has means one problem after the other
            problem = q.problem if q.problem in problems else problems[number]
            index = taken[problem] = taken.get(problem, -1) + 1
            log_p = math.log(q.p) if q.p else -9999.0
            name = world.answer(
                lm, problem, index, "passed" if q.y else "failed", length=20 + number % 60,
                logprobs=[log_p, log_p, -0.5], kept=[True, True, False],
            )  # fmt: skip
            world.states(name, "verbalized_v1", [q.p])
            world.states(name, "verbalized_v2", [None, q.p])
            entry = [("True", log_p), ("False", math.log(1 - q.p) if q.p < 1 else -9999.0)]
            world.says_true_or_false(name, [sorted(entry, key=lambda pair: -pair[1])])
    silent = world.answer(world.lm("silent"), problems[0], 0, "passed")
    world.answer("silent", problems[1], 0, None, logprobs=[-0.25])
    world.states(silent, "verbalized_v1", [None, None])
    world.states(silent, "verbalized_v2", [None])
    return world
