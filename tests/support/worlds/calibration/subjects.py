"""Warehouses for calibration: many small language models in one, each a separate data set."""

import math
from typing import Any

from ingest.tokens import top_columns
from tests.support.oracles.calibration import ScoredPair
from tests.support.oracles.confidence import Positions
from tests.support.worlds.world import World

TEMPLATES = ("verbalized_v1", "verbalized_v2", "ask_tf_v1")
N_PROBLEMS = 24
VIEWS = (
    *("confidence_v1", "confidence_v2", "calibration_raw_v1", "calibration_raw_v2"),
    *("calibration_scaled_v1", "calibration_scaled_v2"),
    *("reliability_bins_v1", "reliability_bins_v2", "calibration_by_correctness_v1"),
    *("reliability_points_v1", "roc_v1", "roc_v2"),
)
# What a golden file keeps of what is fitted: some keys are DuckDB's own hashes.
INPUTS = {
    "calibration_subjects_v1": "select * exclude (split_key, input_key) from {view} order by all",
    "calibration_pairs_v1": """
        from {view}
        where subject_no in (from calibration_subjects_v1 select subject_no where lm = 'golden_a')
        order by all
    """,
}
WITH_PARENTS = " ".join(f"+{view}" for view in (*VIEWS, *INPUTS))


class CalibrationWorld(World):
    """A world of judged generations, what was asked about them and what the answers said."""

    def __init__(self) -> None:
        super().__init__()
        self.judged: dict[str, dict[str, Any]] = {}
        self.run("r0", 0, "ingest")
        self.run("x0", 1)
        # one setting to answer, one for each way to ask about an answer
        self.setting("s1")
        for template in TEMPLATES:
            self.setting(f"s.{template}", task="reflection", temperature=1.0)
            self.raw["setting"][-1] |= {"prompt_kind": template, "style": "solution"}

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
            columns = zip(("top_tokens", "top_logprobs"), top_columns(positions), strict=True)
            self.raw["token_logprob"][-1] |= columns

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
            template_key=template, prompt_key=name, n_attempts=1,
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
            logprobs=logprobs, kept=kept or [True] * len(logprobs),
        )  # fmt: skip


# --- a small world with published numbers -------------------------------------------------------


def published_world(sets: dict[str, list[ScoredPair]]) -> CalibrationWorld:
    """Language models that state exactly these confidences, in every way they can be asked."""
    world = CalibrationWorld()
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
