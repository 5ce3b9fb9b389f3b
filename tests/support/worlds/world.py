"""Small warehouses for tests of the views: raw rows as dictionaries, then a file."""

import random
from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from models.tables import TABLES
from tests.support.worlds.similarity.behaviour import random_behaviour
from tests.support.worlds.similarity.blocks import PAIRS, pair_blocks
from tests.support.worlds.similarity.ratings import random_ratings

COLUMNS: dict[str, Collection[str]] = {
    **{str(table.__tablename__): table.model_fields for table in TABLES},
    **PAIRS,
}
SPRING = datetime(2026, 3, 1, tzinfo=UTC)
CPU_LIMITS_S = {"calibrated": 0.03, "compat": 1.0}  # an attempt takes 0.01 s, 0.02 s, 0.03 s
SAMPLE_NUMBERS = (0, 1, 2, 3, 9, 10, 11, 14)
VERDICTS = ("passed", "passed", "failed", "error", "timeout", "out_of_memory", "tampered")


class World:
    """Raw rows in the making; each method adds what a reader would expect and returns its key."""

    def __init__(self) -> None:
        self.raw: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.seen: set[tuple[str, Any]] = set()
        self.sizes: dict[tuple[str, str], int] = {}

    def add(self, table: str, key: Any, **values: Any) -> None:
        """Add one row unless its key is there; a column that is not named is null."""
        if (table, key) not in self.seen:
            self.seen.add((table, key))
            self.raw[table].append({**dict.fromkeys(COLUMNS[table]), "run_id": "r0", **values})

    def run(self, run_id: str, day: int, kind: str = "execute") -> str:
        self.add(
            "run", run_id, run_id=run_id, kind=kind, started_at=SPRING + timedelta(days=day),
            code_version="0", settings="{}", inputs="{}", host="{}",
        )  # fmt: skip
        return run_id

    def release(self, release_id: str, dataset: str, n_problems: int, run_id: str) -> list[str]:
        self.add(
            "dataset_release", release_id, release_id=release_id, dataset=dataset,
            version=release_id, source="test", license="MIT", sha256="", n_problems=n_problems,
            run_id=run_id,
        )  # fmt: skip
        names = [f"{release_id}.{i}" for i in range(n_problems)]
        for i, name in enumerate(names):
            self.add(
                "problem", name, problem_id=name, release_id=release_id, dataset=dataset,
                task_id=f"{dataset}/{i}", position=i, entry_point="f", prompt="def f(x):\n",
                reference="    return x\n", suffix="", setup_code="", test_code="assert f(1) == 1",
                compare="exact", atol=0.0, tags="[]", tests_key=name,
            )  # fmt: skip
            self.add(
                "variant", name, variant_id=f"v.{name}", problem_id=name, kind="original",
                prompt="def f(x):\n",
            )  # fmt: skip
        return names

    def admission(
        self, problem_id: str, policy: str, mode: str, run_id: str, reason: str | None = None
    ) -> str:
        name = f"a.{policy}.{problem_id}.{run_id}"
        self.add(
            "admission", name, admission_id=name, problem_id=problem_id, policy=policy, mode=mode,
            reason=reason, reference_cpu_s=0.01, cpu_limit_s=CPU_LIMITS_S[policy], wall_limit_s=5.0,
            memory_limit_mb=512, judge_version="1", run_id=run_id,
            test_cpu_limit_s=0.02 if policy == "calibrated" else None,
        )  # fmt: skip
        return name

    def canary(self, run_id: str, problem_id: str, verdict: str = "passed") -> None:
        name = f"{run_id}.{problem_id}"
        self.add(
            "canary", name, canary_id=name, run_id=run_id, problem_id=problem_id, verdict=verdict,
            cpu_s=0.01,
        )  # fmt: skip

    def lm(self, name: str, *, simulated: bool = True, n_parameters: int | None = None) -> str:
        self.add(
            "language_model", name, lm_id=name, lm=name, revision="", simulated=simulated,
            n_parameters=n_parameters,
        )  # fmt: skip
        return name

    def setting(
        self,
        name: str,
        task: str = "synthesis",
        temperature: float = 0.8,
        *,
        resampled: bool = False,
    ) -> str:
        self.add(
            "setting", name, setting_id=name, task=task, style="completion",
            prompt_kind="original", temperature=temperature, top_p=0.95, max_tokens=300, stop="[]",
            resampled=resampled, label="",
        )  # fmt: skip
        return name

    def generation(
        self,
        lm: str,
        setting: str,
        problem_id: str,
        index: int,
        variant: str | None = None,
        **other: Any,
    ) -> str:
        """Add an answer to the problem's own prompt, unless another variant is named."""
        name = str(other.get("generation_id", f"g.{lm}.{setting}.{variant or problem_id}.{index}"))
        values = {
            "generation_id": name, "lm_id": lm, "problem_id": problem_id,
            "variant_id": variant or f"v.{problem_id}", "setting_id": setting,
            "sample_index": index, "source": "test", "text_key": name,
        }  # fmt: skip
        self.add("generation", name, **{**values, **other})
        return name

    def program(self, candidate: str, problem_id: str, admission: str, parses: bool = True) -> str:
        self.add(
            "candidate", candidate, candidate_id=candidate, source=candidate, parses=parses,
            n_characters=len(candidate),
        )  # fmt: skip
        name = f"q.{candidate}.{admission}"
        self.add(
            "program", name, program_id=name, candidate_id=candidate, problem_id=problem_id,
            admission_id=admission,
        )  # fmt: skip
        return name

    def evaluation(
        self, generation: str, problem_id: str, candidate: str, program: str, run_id: str
    ) -> None:
        name = f"e.{generation}.{program}"
        self.add(
            "evaluation", name, evaluation_id=name, generation_id=generation,
            problem_id=problem_id, candidate_id=candidate, program_id=program, run_id=run_id,
        )  # fmt: skip

    def outcome(self, program: str, attempt: int, verdict: str, run_id: str, **other: Any) -> None:
        values = {
            "n_tests": 3, "n_passed": 3 if verdict == "passed" else 1, "cpu_s": 0.01 * attempt,
            "wall_s": 0.02, "max_rss_kb": 1000, "why_ended": "exit",
            "isolation": "none", "integrity": "split", "run_id": run_id,
        }  # fmt: skip
        self.add(
            "outcome", (program, attempt), program_id=program, attempt=attempt, verdict=verdict,
            **{**values, **other},
        )  # fmt: skip

    def test_outcome(self, program: str, attempt: int, index: int, status: str) -> None:
        self.add(
            "test_outcome", (program, attempt, index), program_id=program, attempt=attempt,
            test_index=index, status=status,
        )  # fmt: skip

    def trial(self, program: str, factor: float, verdict: str, run_id: str, **other: Any) -> None:
        why = "cpu" if verdict == "timeout" else "exit"
        values = {
            "n_tests": 3, "n_passed": 3 if verdict == "passed" else 1, "cpu_s": 0.05,
            "wall_s": 0.06, "why_ended": why, "run_id": run_id,
        }  # fmt: skip
        self.add(
            "limit_trial", (program, factor), program_id=program, factor=factor, verdict=verdict,
            **{**values, **other},
        )  # fmt: skip

    def pair(self, measure: str, x: str, y: str, shared: int, n_x: int, n_y: int) -> None:
        """Add a pair's counts of tokens; a program has as many as when it was first named."""
        n_x, n_y = (self.sizes.setdefault((measure, z), n) for z, n in ((x, n_x), (y, n_y)))
        (a, n_a), (b, n_b) = sorted([(x, n_x), (y, n_y)])
        self.add(
            "pair_similarity", (measure, a, b), candidate_a=a, candidate_b=b, measure=measure,
            n_shared=min(shared, n_a, n_b), n_tokens_a=n_a, n_tokens_b=n_b,
        )  # fmt: skip

    def scorer(self, measure: str, name: str, release_id: str | None = None) -> str:
        self.add(
            "scorer", name, scorer_id=name, measure=measure, name=name, identity=name, detail="{}",
            release_id=release_id,
        )  # fmt: skip
        return name

    def score(self, scorer: str, x: str, y: str, value: float | None) -> None:
        a, b = sorted([x, y])
        self.add(
            "pair_score", (scorer, a, b), scorer_id=scorer,
            candidate_a=a, candidate_b=b, value=value,
            null_reason="no_parse" if value is None else None,
        )  # fmt: skip

    def judge(self, measure: str, name: str) -> str:
        """Add a language model that rates pairs, and return its scorer."""
        self.lm(name)
        self.setting(f"s.{measure}", task="rating", temperature=0.0)
        return self.scorer(measure, f"{measure}.{name}")

    def rating(
        self,
        scorer: str,
        problem_id: str,
        first: str,
        second: str,
        vote: int,
        level: int | str,
        lengths: tuple[int, int] = (1, 1),
    ) -> None:
        """Add a reply of a judge: a level, or why there is none."""
        measure, _, lm = scorer.partition(".")
        name = f"r.{scorer}.{first}.{second}.{vote}"
        self.generation(
            lm, f"s.{measure}", problem_id, vote, generation_id=name, parent_generation_id="p"
        )
        self.rated(scorer, problem_id, first, second, vote, level, lengths, generation_id=name)

    def rated(
        self,
        scorer: str,
        problem_id: str,
        first: str,
        second: str,
        vote: int,
        level: int | str,
        lengths: tuple[int, int] = (1, 1),
        **by: str,
    ) -> None:
        """Add a level of a reply (``generation_id``) or of a person (``rater``)."""
        name = "/".join([scorer, first, second, str(vote), *by.values()])
        is_level = isinstance(level, int)
        self.add(
            "pair_rating", name, rating_id=name, scorer_id=scorer, problem_id=problem_id,
            candidate_first=first, candidate_second=second, vote=vote,
            level=level if is_level else None, null_reason=None if is_level else level,
            n_characters_first=lengths[0], n_characters_second=lengths[1], **by,
        )  # fmt: skip

    def write(self, path: Path) -> Path:
        """Write all rows, in any order, into a new warehouse; return its path."""
        import pyarrow as pa

        from warehouse.frames import name_of, schema_of
        from warehouse.store.connection import writing

        with writing(path) as con:
            stored = {**self.raw, **pair_blocks(self.raw)}
            for table in TABLES:
                rows = stored.get(name_of(table), [])
                if rows:
                    con.register("rows", pa.Table.from_pylist(rows, schema=schema_of(table)))
                    con.execute(f"insert into raw.{name_of(table)} by name select * from rows")
                    con.unregister("rows")
        return path


def random_world(seed: int, n_lms: int = 8, sizes: tuple[int, int] = (4, 3)) -> World:
    """Draw language models that share programs, with faults, gaps and a re-released dataset."""
    rng = random.Random(seed)
    world = World()
    world.run("r0", 0, "ingest")
    world.run("r1", 1, "ingest")
    executions = [world.run(f"x{i}", 2 + i) for i in range(3)]
    problems = world.release("toy1", "toy", sizes[0], "r0")
    problems += world.release("other1", "other", sizes[1], "r0")
    rereleased = world.release("toy2", "toy", 5, "r1")
    admissions = {}
    for problem in problems + rereleased:
        mode = "rejected" if rng.random() < 0.1 else "split"
        admissions[problem] = [world.admission(problem, "calibrated", mode, "r0")]
        if rng.random() < 0.3:
            admissions[problem].append(world.admission(problem, "compat", "split", "r1"))
        if rng.random() < 0.2:
            admissions[problem].append(world.admission(problem, "calibrated", "split", "x0"))
        for run in executions:
            if rng.random() < 0.9:
                world.canary(run, problem, "passed" if rng.random() < 0.9 else "timeout")
    settings = [world.setting("s1"), world.setting("s2", temperature=0.2)]
    settings += [world.setting("s3", task="repair"), world.setting("s4", resampled=True)]
    world.setting("plan", task="plan_choice", temperature=0.2)  # its answers are shown under s2
    for n in range(n_lms):
        lm = world.lm(f"lm{n}", simulated=n % 2 == 0)
        for setting in rng.sample(settings, rng.choice([1, 1, 2, 3])):
            one_each = rng.random() < 0.2
            for problem in problems + (rereleased if rng.random() < 0.3 else []):
                for index in range(1 if one_each else rng.choice(SAMPLE_NUMBERS)):
                    _random_sample(world, rng, lm, setting, problem, index, admissions, rereleased)
    _random_pairs(world, rng)
    _random_scores(world, rng)
    random_ratings(world, random.Random(seed))
    random_behaviour(world, random.Random(seed))
    for rows in world.raw.values():
        rng.shuffle(rows)  # row order never matters
    return world


def _random_sample(
    world: World,
    rng: random.Random,
    lm: str,
    setting: str,
    problem: str,
    index: int,
    admissions: dict[str, list[str]],
    rereleased: list[str],
) -> None:
    plan = world.generation(lm, "plan", problem, index) if setting == "s2" else None
    generation = world.generation(lm, setting, problem, index, parent_generation_id=plan)
    targets = [problem] if rng.random() < 0.96 else []
    if rng.random() < 0.05:
        targets.append(rng.choice(rereleased))
    for target in targets:
        candidate = f"c.{target}.{rng.randrange(7)}"
        for admission in rng.sample(admissions[target], rng.choice([1, len(admissions[target])])):
            program = world.program(candidate, target, admission, parses=rng.random() < 0.9)
            world.evaluation(generation, target, candidate, program, rng.choice(["x0", "x1"]))
            if ("judged", program) in world.seen:
                continue
            world.seen.add(("judged", program))
            for attempt in range(1, rng.choice([1, 2, 2, 2, 2, 2, 2, 4])):
                verdict = "harness_fault" if rng.random() < 0.1 else rng.choice(VERDICTS)
                run = rng.choice(["x0", "x1", "x2"])
                _random_outcome(world, rng, program, attempt, verdict, run)


def _random_outcome(
    world: World, rng: random.Random, program: str, attempt: int, verdict: str, run: str
) -> None:
    """Add an attempt, cut off at its limits, a little beyond them or below, and longer tries."""
    how: dict[str, Any] = {"alone": rng.choice([None, False, True])}
    how["test_cpu_s"] = rng.choice([None, 0.005, 0.01, 0.019])
    if verdict == "timeout" and rng.random() < 0.7:
        how["why_ended"] = rng.choice(["cpu", "wall"])
        for factor in rng.sample([2.0, 4.0], rng.choice([0, 1, 1, 2])):
            tried = rng.choice(["passed", "failed", "timeout"])
            spent = {"cpu_s": rng.choice([0.031, 0.05, 0.07, 0.1]), "test_cpu_s": how["test_cpu_s"]}
            world.trial(program, factor, tried, run, **spent)
    elif verdict == "timeout":
        how |= {"n_passed": rng.choice([1, 3]), "cpu_s": 0.032}
    world.outcome(program, attempt, verdict, run, **how)


def _random_pairs(world: World, rng: random.Random) -> None:
    by_problem = defaultdict(set)
    for row in world.raw["program"]:
        by_problem[row["problem_id"]].add(row["candidate_id"])
    for candidates in by_problem.values():
        for measure in ("scc_v1", "tokens_v2"):
            sizes = {name: rng.choice([0, 5, 10, 10, 10, 11]) for name in sorted(candidates)}
            for x in sorted(candidates):
                for y in sorted(candidates):
                    if x <= y and rng.random() < 0.97:
                        most = min(sizes[x], sizes[y])
                        shared = most if x == y else rng.randint(most // 2, most)
                        world.pair(measure, x, y, shared, sizes[x], sizes[y])


def _random_scores(world: World, rng: random.Random) -> None:
    """Score pairs by two encoders, two fits of TF-IDF and by structure; never by trees."""
    scorers = [
        (world.scorer("embedding_v1", "encoder_1"), 1.0, -1),
        (world.scorer("embedding_v1", "encoder_2"), 0.3, -1),
        (world.scorer("tfidf_v1", "fit_1", "toy1"), 0.9, 0),
        (world.scorer("tfidf_v1", "fit_2", "toy2"), 0.9, 0),
        (world.scorer("structure_v1", "structure"), 1.0, 0),
    ]
    by_problem = defaultdict(set)
    for row in world.raw["program"]:
        by_problem[row["problem_id"]].add(row["candidate_id"])
    for candidates in by_problem.values():
        for scorer, share, least in scorers:
            if rng.random() > share:
                continue
            silent = {name for name in sorted(candidates) if rng.random() < 0.15}
            for x in sorted(candidates):
                for y in sorted(candidates):
                    if x <= y and rng.random() < 0.98:
                        value = rng.choice([1.0, rng.uniform(least, 1), 1 / 3])
                        world.score(scorer, x, y, None if silent & {x, y} else value)
    _random_pairs_between(world, rng, scorers)


def _random_pairs_between(
    world: World, rng: random.Random, scorers: list[tuple[str, float, int]]
) -> None:
    """Compare programs of different problems, by one count of tokens and by every scorer."""
    named = sorted({(row["problem_id"], row["candidate_id"]) for row in world.raw["program"]})
    for place, (problem, x) in enumerate(named):
        for other, y in named[place + 1 :]:
            if problem == other or rng.random() < 0.1:
                continue
            world.pair("tokens_v2", x, y, rng.randint(0, 6), 10, 10)
            for scorer, _, least in scorers:
                value = rng.choice([0.25, rng.uniform(least, 1)])
                world.score(scorer, x, y, None if rng.random() < 0.1 else value)
