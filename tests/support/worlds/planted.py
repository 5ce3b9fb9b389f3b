"""A small world whose numbers are known by hand."""

from tests.support.worlds.world import World

N_PROBLEMS = 24
STUDENT = 2.0686576104190406
"""The 97.5 % quantile of Student's t with 23 degrees of freedom."""
TRIALS = N_PROBLEMS * (N_PROBLEMS + 1) / ((N_PROBLEMS - 1) / 10 + 2)
QUANTILE = STUDENT + (1.959963984540054 - STUDENT) * N_PROBLEMS / TRIALS
HALF_WIDTH = QUANTILE / 2 / (TRIALS + QUANTILE**2) ** 0.5
"""Of Wilson's interval of a rate of 1/2 on which all problems agree: each is six trials."""
N_SAMPLES = 10

# coin: every second sample is right, all alike; expert: all right, all different; novice: none
# right; halves: all right on every second problem, two styles by turns; twins: the same samples.
TRUTH: dict[str, dict[str, float | None]] = {
    "coin": {
        "pass_at_1": 0.5,
        "pass_at_5": 1 - 1 / 252,
        "pass_at_10": 1.0,
        "pass_at_100": None,
        "sim_at_10": 1.0,
        "csim_at_10": 1.0,
        "dpass_at_10": 0.0,
        "dpair_at_10": 0.0,
        "pass_at_1_lo": 0.5 - HALF_WIDTH,
        "pass_at_1_hi": 0.5 + HALF_WIDTH,
    },
    "expert": {
        "pass_at_1": 1.0,
        "pass_at_10": 1.0,
        "sim_at_10": 0.0,
        "csim_at_10": 0.0,
        "dpass_at_10": 1.0,
        "dpair_at_10": 1.0,
    },
    "novice": {
        "pass_at_1": 0.0,
        "pass_at_10": 0.0,
        "csim_at_10": None,
        "dpass_at_10": 0.0,
        "dpair_at_10": 0.0,
    },
    "halves": {
        "pass_at_1": 0.5,
        "pass_at_5": 0.5,
        "pass_at_10": 0.5,
        "sim_at_10": 20 / 45,
        "csim_at_10": 20 / 45,
        "dpass_at_10": 0.5 * 25 / 45,
        "dpair_at_10": 0.5 * 25 / 45,
    },
}


def planted_world() -> World:
    """Build it: 24 problems, 10 samples each, one more sample whose harness failed."""
    world = World()
    world.run("r0", 0, "ingest")
    world.run("x0", 1)
    problems = world.release("toy1", "toy", N_PROBLEMS, "r0")
    setting = world.setting("s1")
    for number, problem in enumerate(problems):
        admission = world.admission(problem, "calibrated", "split", "r0")
        world.canary("x0", problem)
        for lm in ("coin", "expert", "novice", "halves", "twin_a", "twin_b"):
            world.lm(lm)
            for index in range(N_SAMPLES):
                style, right = _plan(lm, number, index)
                # right and wrong programs of one style are equal as tokens go
                candidate = f"c.{problem}.{style}.{'right' if right else 'wrong'}"
                program = world.program(candidate, problem, admission)
                generation = world.generation(lm, setting, problem, index)
                world.evaluation(generation, problem, candidate, program, "x0")
                world.outcome(program, 1, "passed" if right else "failed", "x0")
                for test in () if right else range(3):  # a wrong one passes the test of its style
                    status = "passed" if test == style % 3 else "failed"
                    world.test_outcome(program, 1, test, status)
        world.lm("unlucky")
        generation = world.generation("unlucky", setting, problem, 0)
        program = world.program(f"c.{problem}.unlucky", problem, admission)
        world.evaluation(generation, problem, f"c.{problem}.unlucky", program, "x0")
        world.outcome(program, 1, "harness_fault", "x0")
        _pair_up(world, problem)
        _rate(world, problem, number)
    return world


def _plan(lm: str, problem: int, index: int) -> tuple[int, bool]:
    """Return the style and whether the sample is right."""
    if lm == "coin":
        return 0, index % 2 == 0
    if lm == "expert":
        return index, True
    if lm == "novice":
        return index, False
    if lm == "halves":
        return index % 2, problem % 2 == 0
    return (index + problem) % 3, (index * (problem + 1)) % 4 != 0  # the twins


def _pair_up(world: World, problem: str) -> None:
    """One style is one token bag of ten; two styles share six of ten."""
    styles = {
        row["candidate_id"]: row["candidate_id"].split(".")[-2]
        for row in world.raw["candidate"]
        if row["candidate_id"].startswith(f"c.{problem}.")
        and not row["candidate_id"].endswith("unlucky")
    }
    for x, style_x in styles.items():
        for y, style_y in styles.items():
            if x <= y:
                for measure in ("scc_v1", "tokens_v2"):
                    world.pair(measure, x, y, 10 if style_x == style_y else 6, 10, 10)


def _rate(world: World, problem: str, number: int) -> None:
    """A judge and two people rate the pairs of coin and of halves.

    Right and wrong programs of coin are the longer and the shorter: asked once, the judge gives
    level 4, and 5 to a program and itself; the styles of halves get 2. Asked in both orders the
    judge gives a level more where the longer program is first, on every second problem. One vote in
    three is prose, and in one problem every vote of an order.
    """
    right, wrong = f"c.{problem}.0.right", f"c.{problem}.0.wrong"
    ending = "right" if number % 2 == 0 else "wrong"
    styles = (f"c.{problem}.0.{ending}", f"c.{problem}.1.{ending}")
    once = world.judge("judge_v1", "critic")
    often = world.judge("judge_v2", "critic")
    people = world.scorer("human_v1", "people")
    pairs = [(right, wrong, 4), (right, right, 5), (*styles, 2)]
    for one, other, level in pairs:
        world.rating(once, problem, one, other, 0, level)
        bias = number % 2 if one == right and other == wrong else 0
        for vote in range(3):
            prose = vote == 2 or number == 5
            world.rating(often, problem, one, other, vote, "no_level" if prose else level, (9, 8))
            if one != other:
                world.rating(often, problem, other, one, vote, level - bias, (8, 9))
        for rater, shift in (("ada", 0), ("ben", number % 3 - 1)):
            given = min(5, level + shift)
            world.rated(people, problem, one, other, 0, given, rater=rater)
