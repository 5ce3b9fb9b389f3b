"""A small warehouse of completed lines of projects and of a benchmark, with gaps and faults."""

import random

from tests.support.worlds.world import World

LINES = (
    ("    x = f(a, b)", ("x=f( a,b )  # sum", "x = f(a, c)")),
    ('        return "a # b"', ('return  "a # b" # c', 'return "a #b"')),
    ("    total += values[-1] ** 2", ("total+=values[ - 1 ]**2", "total + = values[-1] ** 2")),
    ("    raise ValueError('no')", ("raise ValueError ( 'no' )", 'raise ValueError("no")')),
)
"""A hidden line, the same written otherwise, and another line."""

VERDICTS = ("passed", "passed", "failed", "error", "timeout", "harness_fault")
KINDS = {"f": "function", "b": "function_without_docstring", "v": "original"}
PAIRED = {"l1": ("f", 0.0), "l2": ("b", 0.0), "l3": ("f", 0.8), "l4": ("b", 0.8)}
SETTINGS = {**PAIRED, "l5": ("v", 0.0), "l6": ("f", 0.2)}
N_PROJECTS = 16
BENCHMARK = "benchmark-lines"


def line_release(world: World, release_id: str, dataset: str, n: int, run_id: str) -> list[str]:
    """Add lines of a project with all their variants; return the problems."""
    names = world.release(release_id, dataset, n, run_id)
    rows = {str(row["problem_id"]): row for row in world.raw["problem"]}
    for name in names:
        rows[name] |= {
            "compare": "project",
            "test_code": None,
            "reference": LINES[rows[name]["position"] % len(LINES)][0],
        }
        for letter in ("f", "b"):
            variant = f"{letter}.{name}"
            world.add(
                "variant", variant, variant_id=variant, problem_id=name, kind=KINDS[letter],
                parent_variant_id=f"v.{name}", prompt="def f(x):\n",
            )  # fmt: skip
    return names


def line_setting(world: World, name: str, letter: str, temperature: float) -> str:
    """Add a way of asking for a line; what is shown of the function is in its prompt's name."""
    world.setting(name, task="line_completion", temperature=temperature, resampled=name == "l6")
    world.raw["setting"][-1]["prompt_kind"] = f"line_completion_{letter}"
    return name


def line_answer(world: World, lm: str, setting: str, problem: str, index: int, text: str) -> str:
    """Add a kept line; return the generation."""
    letter = SETTINGS[setting][0]
    name = f"g.{lm}.{setting}.{problem}.{index}"
    variant = None if letter == "v" else f"{letter}.{problem}"
    world.generation(lm, setting, problem, index, variant, generation_id=name)
    world.add(
        "generation_text", name, generation_id=name, raw_text=text, kept_text=text,
        kept_rule="first_line_v1",
    )  # fmt: skip
    return name


def random_lines(seed: int, n_lms: int = 3) -> World:
    """Draw language models that complete lines of projects, beside repairs and functions."""
    rng = random.Random(seed)
    world = World()
    world.run("r0", 0, "ingest")
    world.run("r1", 1, "ingest")
    world.run("x0", 2)
    problems = []
    for n in range(N_PROJECTS):
        problems += line_release(world, f"p{n}", f"project{n}-lines", rng.choice([1, 3, 12]), "r0")
    problems += line_release(world, "p0.again", "project0-lines", 4, "r1")
    admissions = {}
    for problem in problems:
        mode = "rejected" if rng.random() < 0.1 else "same_interpreter"
        admissions[problem] = world.admission(problem, "calibrated", mode, "r0")
        world.canary("x0", problem, "passed" if rng.random() < 0.9 else "failed")
    for name, (letter, temperature) in SETTINGS.items():
        line_setting(world, name, letter, temperature)
    for n in range(n_lms):
        lm = world.lm(f"lm{n}", simulated=n == 0)
        for name in SETTINGS:
            if name not in PAIRED and rng.random() < 0.4:
                continue
            datasets = {f"project{i}-lines" for i in range(rng.choice([1, 3, N_PROJECTS]))}
            several = SETTINGS[name][1] > 0
            for problem in problems:
                if _dataset(world, problem) in datasets and rng.random() < 0.9:
                    for index in range(rng.choice([1, 2, 3]) if several else 1):
                        _sample(world, rng, lm, name, problem, index, admissions[problem])
    _benchmark(world, seed + 1)
    _others(world)
    for rows in world.raw.values():
        rng.shuffle(rows)  # row order never matters
    return world


def _dataset(world: World, problem: str) -> str:
    return next(str(p["dataset"]) for p in world.raw["problem"] if p["problem_id"] == problem)


def _sample(
    world: World,
    rng: random.Random,
    lm: str,
    setting: str,
    problem: str,
    index: int,
    admission: str,
) -> None:
    line, (spaced, other) = next(
        each for p in world.raw["problem"] if p["problem_id"] == problem
        for each in LINES if each[0] == p["reference"]
    )  # fmt: skip
    text = rng.choice([line, line.strip(), f"{line} ", spaced, other, "pass", ""])
    generation = line_answer(world, lm, setting, problem, index, text)
    if rng.random() < 0.1:
        return  # waits for execution
    candidate = f"c.{problem}.{rng.randrange(4)}"
    program = world.program(candidate, problem, admission)
    world.evaluation(generation, problem, candidate, program, "x0")
    if ("judged", program) not in world.seen:
        world.seen.add(("judged", program))
        world.outcome(program, 1, rng.choice(VERDICTS), "x0", integrity="same_interpreter")


def _benchmark(world: World, seed: int) -> None:
    """Add lines of a benchmark's functions, answered by one language model in two settings."""
    rng = random.Random(seed)
    problems = line_release(world, "b0", BENCHMARK, 6, "r0")
    for row in world.raw["problem"]:
        if row["problem_id"] in problems:
            row |= {"compare": "exact", "test_code": "assert f(1)"}
    for problem in problems:
        admission = world.admission(problem, "calibrated", "split", "r0")
        world.canary("x0", problem, "passed")
        for name in ("l1", "l2"):
            _sample(world, rng, "lm1", name, problem, 0, admission)


def _others(world: World) -> None:
    """Add a repair and a function, which are no lines."""
    for dataset, task in (("fixes", "repair"), ("functions", "synthesis")):
        (problem,) = world.release(dataset, dataset, 1, "r0")
        name = world.generation("lm0", world.setting(f"s.{task}", task=task), problem, 0)
        world.add(
            "generation_text", name, generation_id=name, raw_text="x", kept_text="x",
            kept_rule="whole",
        )  # fmt: skip
