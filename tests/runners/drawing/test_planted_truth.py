"""Planted calibration comes back: what each measure must find is known, whatever the views do.

The large world takes the planted model's answers, its replies to reflections and the readers as
they are, and plants the verdicts. Drawing and executing 8,000 programs would take longer than all
other tests. The small one goes the whole way, sandbox included. ``slow`` does both at once.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ingest.tokens import kept_tokens
from runners.drawing.backends.base import Completion, Request
from runners.drawing.backends.planted import PlantedBackend
from runners.drawing.backends.planted_texts import spelled
from runners.tasks import REFLECTIONS
from runners.tasks.templates import load
from tests.support.oracles import calibration as oracle
from tests.support.oracles import calibration_curves as curve_oracle
from tests.support.oracles import calibration_subjects as subject_oracle
from tests.support.oracles.calibration import ScoredPair
from tests.support.servers.requests import request
from tests.support.sql import rows, rows_in
from tests.support.steps import build, calibrate, execute, generate, ingest_dataset, reflect
from tests.support.worlds.calibration.subjects import CalibrationWorld

VIEWS_READ = "+calibration_raw +calibration_scaled"

N_PROBLEMS, N_SAMPLES = 500, 8
LONGEST = 4000
# as many letters and tokens as the planted wrong answer: neither may tell right from wrong
REFERENCE = "    return 'planned right answer'\n"
TRUTHS: dict[str, dict[str, Any]] = {
    "bent": {
        "pass_rate": 0.55, "spread": 0.2, "sample_spread": 0.2, "slope": 1.5,
        "overconfidence": 0.6, "reflect_slope": 0.8, "reflect_overconfidence": -0.5,
        "answer_mass": 0.9, "spelling": 0.85, "unreadable": 0.05,
    },
    "straight": {
        "pass_rate": 0.5, "spread": 0.2, "sample_spread": 0.1, "reflect_overconfidence": 1.0,
        "curve": "total_prob", "length_range": [len(REFERENCE), LONGEST],
    },
}  # fmt: skip
COMMON = {"n_styles": 1, "error": 0.0, "unparseable": 0.0, "stop_token": True, "seed": 11}
LINE = ("avg_prob", "geometric_mean_prob", "min_prob", "avg_prob_incl_stop")


def options(lm: str) -> dict[str, Any]:
    return {**TRUTHS[lm], **COMMON}


# --- what is planted ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Planted:
    """One answer: its chance of being right, and every confidence the planted model states."""

    q: float
    measures: dict[tuple[int, str], tuple[float, float]]
    """Probability and its logarithm, by version and measure."""


def planted(backend: PlantedBackend, task: str, index: int, n: int) -> Planted:
    """Write down the table of ``planted_truth`` for one answer of n tokens."""
    truth = backend.planted
    log_c, r = math.log(backend.confidence(task, index)), backend.reflected(task, index)
    log_token = log_c if truth.curve == "avg_prob" else log_c / n
    token, log_total = math.exp(log_token), n * log_token
    with_stop = token if truth.curve == "avg_prob" else (n * token + 1) / (n + 1)
    last = log_token if truth.curve == "avg_prob" else 0.0
    usual, mass = truth.spelling * truth.answer_mass, truth.answer_mass
    logs = {
        (1, "avg_prob"): log_token,
        (1, "total_prob"): log_total,
        (1, "verbalized"): math.log(r),
        (1, "ask_tf"): math.log(usual * r),
        (1, "ask_tf_normalized"): math.log(r),
        (2, "avg_prob"): log_token,
        (2, "total_prob"): log_total,
        (2, "geometric_mean_prob"): log_token,
        (2, "min_prob"): log_token,
        (2, "avg_prob_incl_stop"): math.log(with_stop),
        (2, "total_prob_incl_stop"): log_total + last,
        (2, "verbalized"): math.log(r),
        (2, "verbalized_base_rate"): math.log(r),
        (2, "ask_tf"): math.log(mass * r),
        (2, "ask_tf_normalized"): math.log(r),
    }
    if truth.length_range is not None:
        logs[1, "length"] = log_c
    q = backend.pass_probability(task, index)
    return Planted(q, {name: (math.exp(value), value) for name, value in logs.items()})


@dataclass(frozen=True)
class Expected:
    """What a measure must find of these answers, in the mean over all ways they could turn out."""

    base_rate: float
    mean_score: float
    brier: float
    ece: float
    noise: float


def expected(answers: list[Planted], version: int, measure: str) -> Expected:
    """Average over the chance of each answer."""
    n = len(answers)
    qs = [one.q for one in answers]
    stated = [one.measures[version, measure] for one in answers]
    ps = [p for p, _ in stated]
    gaps: dict[int, float] = {}
    for k, held in oracle.equal_width(
        [ScoredPair(p, False, q) for p, q in zip(ps, qs, strict=True)]
    ).items():
        gaps[k] = math.fsum(pair.w - pair.p for pair in held)  # the chance travels as the weight
    return Expected(
        math.fsum(qs) / n,
        math.fsum(ps) / n,
        math.fsum(q * (1 - p) ** 2 + (1 - q) * p**2 for p, q in zip(ps, qs, strict=True)) / n,
        math.fsum(abs(gap) for gap in gaps.values()) / n,
        oracle.noise_floor([ScoredPair(p, False) for p in ps]) or 0.0,
    )


@dataclass(frozen=True)
class ExpectedLine:
    """The line in logits that fits all the chances best, and how far chance may move it."""

    slope: float
    intercept: float
    slope_sd: float
    intercept_sd: float


def expected_line(answers: list[Planted], measure: str) -> ExpectedLine:
    """Fit version 2's logits to the chances themselves."""
    qs = [one.q for one in answers]
    x = [curve_oracle.logit_v2(*one.measures[2, measure]) for one in answers]
    slope, intercept = curve_oracle.logistic(x, qs)
    return ExpectedLine(slope, intercept, *spread_of_line(x, qs, slope, intercept))


def spread_of_line(
    x: list[float], qs: list[float], slope: float, intercept: float
) -> tuple[float, float]:
    """Standard deviations of a fitted slope and intercept: the sandwich, the chances known."""
    shares = [curve_oracle.sigmoid(slope * xi + intercept) for xi in x]
    bend = [s * (1 - s) for s in shares]
    noise = [q * (1 - q) for q in qs]

    def moments(w: list[float]) -> tuple[float, float, float]:
        rows = list(zip(w, x, strict=True))
        return (
            math.fsum(wi * xi * xi for wi, xi in rows),
            math.fsum(wi * xi for wi, xi in rows),
            math.fsum(w),
        )

    (a, b, d), (p, r, s) = moments(bend), moments(noise)
    size = a * d - b * b
    # the inverse of the bend around the noise, on both sides
    slope_sd = math.sqrt(d * d * p - 2 * b * d * r + b * b * s) / size
    intercept_sd = math.sqrt(b * b * p - 2 * a * b * r + a * a * s) / size
    return slope_sd, intercept_sd


# --- the large world ----------------------------------------------------------------------------


@dataclass
class Large:
    """What was planted and where the warehouse is."""

    answers: dict[str, list[Planted]]
    path: Path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Large]:
    """8,000 answers of two planted models, asked about three times each, with curves fitted."""
    world = CalibrationWorld()
    lengths = [len(REFERENCE)] * (N_PROBLEMS - 1) + [LONGEST]
    problems = world.problems("planted1", "planted", N_PROBLEMS, lengths)
    answers: dict[str, list[Planted]] = {}
    for lm in TRUTHS:
        backend = PlantedBackend(world.lm(lm), options(lm))
        answers[lm] = []
        for completion in backend.complete(_requests(problems)):
            assert isinstance(completion, Completion)
            n = len(spelled(completion.text))
            task, index = completion.request.task_id, completion.request.sample_index
            answers[lm].append(planted(backend, task, index, n))
            name = _answered(world, lm, completion)
            for template in ("verbalized_v1", "verbalized_v2"):
                world.states(name, template, list(_stated(backend, completion, template)))
            (reply,) = backend.complete([_question(completion, "ask_tf_v1", 0)])
            assert isinstance(reply, Completion)
            world.says_true_or_false(name, reply.top_logprobs)
    home = tmp_path_factory.mktemp("large")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        path = world.write(home / "warehouse.duckdb")
        calibrate(seeds=2, replicates=200, progress=False)
        build(path, select=VIEWS_READ)
        yield Large(answers, path)


def _requests(problems: list[str]) -> Iterator[Request]:
    for problem in problems:
        for index in range(N_SAMPLES):
            place = {"task_id": problem, "problem_id": problem, "variant_id": ""}
            yield request(index, reference=REFERENCE, **place)


def _question(answer: Completion, template: str, attempt: int) -> Request:
    about = answer.request
    return replace(
        about,
        prompt=_prompt(template),
        sample_index=attempt,
        kind="ask_tf" if template == "ask_tf_v1" else "verbalized",
        planted="true_or_false" if template == "ask_tf_v1" else "percentage",
        parent_generation_id="parent",
        parent_sample_index=about.sample_index,
    )


@cache
def _prompt(template: str) -> str:
    """What the prompt speaks of does not matter here: the planted model knows its answer."""
    return load(template).render(task="def f(x):", answer="return 'planted answer'")


def _answered(world: CalibrationWorld, lm: str, answer: Completion) -> str:
    """One row of each kind for an answer, as generation would leave them."""
    tokens, logprobs = list(answer.tokens or ()), list(answer.logprobs or ())
    verdict = "failed" if "planted wrong answer" in answer.text else "passed"
    return world.answer(
        lm,
        answer.request.problem_id,
        answer.request.sample_index,
        verdict,
        logprobs=logprobs,
        kept=kept_tokens(tokens, answer.text, 0, len(answer.text)),
        length=len(answer.text),
    )


def _stated(backend: PlantedBackend, answer: Completion, template: str) -> Iterator[float | None]:
    """Ask until a reply can be read, four times at most."""
    for attempt in range(4):
        (reply,) = backend.complete([_question(answer, template, attempt)])
        assert isinstance(reply, Completion)
        value = REFLECTIONS.load(template).stated(reply.text).value
        yield value
        if value is not None:
            return


MEASURES = [
    (lm, version, measure)
    for lm in TRUTHS
    for version, measures in subject_oracle.MEASURES.items()
    for measure in measures
    if measure != "length" or (lm, version) == ("straight", 1)
]


@pytest.mark.long(seconds=60)
def test_8000_planted_answers_give_the_truth_back(large: Large) -> None:
    raw = {
        (row["lm"], version, row["measure"]): row
        for version in (1, 2)
        for row in rows_in(large.path, f"select * from calibration_raw_v{version}")
    }
    missed = []
    for lm, version, measure in MEASURES:
        row, truth = raw[lm, version, measure], expected(large.answers[lm], version, measure)
        where = (lm, version, measure)
        assert row["n_used"] >= 0.999 * N_PROBLEMS * N_SAMPLES, where
        assert math.isclose(row["mean_score"], truth.mean_score, abs_tol=2e-4), where
        for name in ("base_rate", "brier", "ece"):
            low, high = row[f"{name}_lo"], row[f"{name}_hi"]
            value = getattr(truth, name)
            if name == "ece" and value < 3 * truth.noise:
                # an error of next to nothing is never inside: chance alone adds to it
                assert row["ece"] < value + 3 * truth.noise, where
                continue
            if not low <= value <= high:
                missed.append((*where, name))
                assert low - (high - low) / 2 <= value <= high + (high - low) / 2, (where, name)
    # intervals of 95 %: some miss, those of one language model together
    assert len(missed) <= 0.1 * 3 * len(MEASURES), missed


@pytest.mark.long(seconds=60)
def test_8000_planted_answers_give_the_lines_back(large: Large) -> None:
    """Slope and intercept, of new scores too, against the line through the planted chances."""
    rows = {
        (row["lm"], row["measure"]): row
        for row in rows_in(
            large.path, "select * from calibration_scaled_v2 where rescaler = 'platt'"
        )
    }
    missed = []
    for lm, version, measure in MEASURES:
        if version == 1:
            continue
        row, truth = rows[lm, measure], expected_line(large.answers[lm], measure)
        assert row["slope_lo"] is None, "no interval around Platt's slope holds (decision 7)"
        for name in ("slope", "intercept"):
            errors = abs(row[name] - getattr(truth, name)) / getattr(truth, f"{name}_sd")
            assert errors < 4, (lm, measure, name)
            missed += [(lm, measure, name)] * (errors > 1.96)
    # of normal errors 5 % are as large, those of one language model together
    assert len(missed) <= 0.1 * len(rows) * 2, missed


def test_what_is_on_the_line_has_the_planted_line() -> None:
    """The expectation itself: slope 1 / slope and intercept -overconfidence / slope."""
    for lm, on_line in (("bent", LINE), ("straight", ("total_prob", "total_prob_incl_stop"))):
        backend = PlantedBackend(lm, options(lm))
        answers = [planted(backend, f"t{i}", i % 7, 150) for i in range(400)]
        truth = backend.planted
        for measure in on_line:
            found = expected_line(answers, measure)
            line = (1 / truth.slope, -truth.overconfidence / truth.slope)
            assert (found.slope, found.intercept) == pytest.approx(line, abs=1e-6)
        reflected = (truth.reflect_slope or truth.slope, truth.reflect_overconfidence or 0.0)
        found = expected_line(answers, "ask_tf_normalized")
        line = (1 / reflected[0], -reflected[1] / reflected[0])
        assert (found.slope, found.intercept) == pytest.approx(line, abs=1e-6)


# --- the whole way ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "n", [pytest.param(5, marks=pytest.mark.long), pytest.param(420, marks=pytest.mark.slow)]
)
def test_the_whole_way(home: Path, n: int) -> None:
    """Drawn, asked about, executed, fitted and built; of each measure that is known exactly."""
    given = options("bent")
    ingest_dataset("starter")
    drawn = generate(
        backend="planted", lm="bent", dataset="starter", n=n, options=given, progress=False
    )
    reflect(backend="planted", lm="bent", options=given, progress=False)
    executed = execute()
    assert executed.n_generations == drawn.n_drawn == 48 * n
    calibrate(seeds=2, replicates=100, progress=False)
    build(select=VIEWS_READ)
    found = rows(
        """
        select problem.task_id, generation.sample_index, len(list_filter(kept, lambda k: k))
        from raw.generation as generation
        inner join raw.token_logprob as tokens using (generation_id)
        inner join raw.problem as problem using (problem_id)
        where generation.parent_generation_id is null
        """
    )
    path = home / "warehouse.duckdb"
    backend = PlantedBackend("bent", given)
    answers = [planted(backend, *row) for row in found]
    for version in (1, 2):
        measured = {
            row["measure"]: row
            for row in rows_in(path, f"select * from calibration_raw_v{version}")
        }
        for measure in subject_oracle.MEASURES[version]:
            # how many tokens an answer has tells here whether it is right
            if measure in ("length", "total_prob", "total_prob_incl_stop"):
                continue
            row, truth = measured[measure], expected(answers, version, measure)
            assert row["n_used"] >= 0.999 * drawn.n_drawn, (version, measure)
            assert math.isclose(row["mean_score"], truth.mean_score, abs_tol=2e-3)
            for name in ("base_rate", "brier"):
                low, high = row[f"{name}_lo"], row[f"{name}_hi"]
                value = getattr(truth, name)
                assert low - (high - low) / 2 <= value <= high + (high - low) / 2, (measure, name)
