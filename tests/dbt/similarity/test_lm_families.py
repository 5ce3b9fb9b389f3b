"""Which language models `instruct_vs_base` sets beside each other, by their names alone."""

from itertools import product
from pathlib import Path

import pytest

from tests.support.sql import rows_in
from tests.support.steps import build
from tests.support.worlds.world import World

pytestmark = pytest.mark.long

PAPER = {
    ("CodeLlama-P 7B", "CodeLlama-I 7B"),
    ("CodeLlama-P 13B", "CodeLlama-I 13B"),
    ("CodeLlama-P 34B", "CodeLlama-I 34B"),
    ("StarCoder2 15B", "StarCoder2-I 15B"),
    ("Deepseek-Coder 6.7B", "Deepseek-Coder-I 6.7B"),
}
"""Base and tuned, as Table 2 of Chon et al. prints them."""

MAKERS = {
    *(
        (f"codellama/CodeLlama-{size}-{base}hf", f"codellama/CodeLlama-{size}-Instruct-hf")
        for size, base in product(("7b", "13b", "34b"), ("", "Python-"))
    ),
    ("bigcode/starcoder2-15b", "bigcode/starcoder2-15b-instruct-v0.1"),
    ("deepseek-ai/deepseek-coder-6.7b-base", "deepseek-ai/deepseek-coder-6.7b-instruct"),
}
"""The same as their makers publish them. CodeLlama Instruct has two bases: Python, and neither."""

OTHERS = {
    ("google/gemma-2b-pt", "google/gemma-2b-it"),
    ("CodeLlama-70b-Python", "CodeLlama-70b-Instruct"),
    ("Qwen/Qwen2.5-Coder-7B", "Qwen/Qwen2.5-Coder-7B-Instruct"),
}
ALONE = {"Some-P 7B", "Some-I 7B", "bigcode/starcoder2-7b", "gpt-4o-mini-2024-07-18", "phi-python"}


def test_pairs_are_those_of_the_paper_under_both_spellings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    world = World()
    world.run("x", 0)
    (problem,) = world.release("toy1", "toy", 1, "x")
    program = world.program("c", problem, world.admission(problem, "calibrated", "split", "x"))
    world.setting("s")
    expected = PAPER | MAKERS | OTHERS
    for name in {name for pair in expected for name in pair} | ALONE:
        world.lm(name, simulated=False)
        for index in range(2):
            answer = world.generation(name, "s", problem, index)
            world.evaluation(answer, problem, "c", program, "x")
    world.outcome(program, 1, "passed", "x")
    world.write(tmp_path / "warehouse.duckdb")
    build(select="+instruct_vs_base +int_language_model_family")
    for version in (1, 2):
        found = rows_in(
            tmp_path / "warehouse.duckdb",
            f"select other_lm as base, lm as tuned from instruct_vs_base_v{version}",
        )
        assert {(row["base"], row["tuned"]) for row in found} == expected
