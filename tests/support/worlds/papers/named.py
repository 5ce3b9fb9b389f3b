"""Random worlds whose language models and datasets have the names that the papers print."""

from tests.support.worlds.ame import PairWorld, random_pair_world
from tests.support.worlds.world import World, random_world

DIVERSITY_LMS = (
    "CodeLlama-P 7B",
    "gpt-3.5-turbo",
    "bigcode/starcoder2-15b",
    "StarCoder2-I 15B",
    "codellama/codellama-7b-instruct-HF",
    "somebody/else-7b",
)
DIFFICULTIES = ("introductory", "interview", "competition")
MUTATION_LMS = ("bigcode/StarCoder", "PaLM 2 (64B)", "somebody/else-7b")


def diversity_world(seed: int) -> World:
    """APPS with its difficulties and HumanEval, at both temperatures of the paper."""
    world = random_world(seed, n_lms=len(DIVERSITY_LMS), sizes=(33, 24))
    _name(world, DIVERSITY_LMS, {"toy": "apps", "other": "humaneval"})
    for row in world.raw["problem"]:
        if row["dataset"] == "apps":
            row["difficulty"] = DIFFICULTIES[row["position"] % 3]
    return world


def mutation_world(seed: int) -> PairWorld:
    """Pairs of the paper's three datasets, one of them released twice, and of others."""
    world = random_pair_world(seed, n_lms=24)
    names = {"data0": "humaneval", "data1": "mbpp", "data5": "codecontests"}
    _name(world, MUTATION_LMS, names)
    return world


def _name(world: World, lms: tuple[str, ...], datasets: dict[str, str]) -> None:
    """Name language models in turn, and datasets; identifiers stay."""
    models = sorted(world.raw["language_model"], key=lambda row: str(row["lm_id"]))
    numbered = [row for row in models if row["lm_id"].startswith("lm")]
    for number, row in enumerate(numbered):
        row["lm"] = lms[number % len(lms)]
        row["revision"] = str(number // len(lms))
    for table in ("dataset_release", "problem"):
        for row in world.raw[table]:
            row["dataset"] = datasets.get(row["dataset"], row["dataset"])
