"""Samples of one more night: drawn beyond those stored, block by block."""

from typing import Any

import pytest

from runners.drawing.backends.planted import PlantedBackend
from runners.specs import GenerateSpec
from runners.steps.generate import generate
from tests.support.sql import rows
from warehouse.errors import BadInput
from warehouse.parameters import BadValue


def fade(**other: Any) -> Any:
    spec = GenerateSpec(backend="planted", lm="fader", dataset="starter", n=2, more=True, **other)
    return generate(spec, progress=False)


def test_more_samples_are_drawn_in_blocks_and_a_block_cut_off_is_finished(
    starter: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [fade().n_drawn for _ in range(2)] == [96, 96]
    complete = "runners.drawing.backends.planted.PlantedBackend.complete"
    with monkeypatch.context() as patch:
        whole = PlantedBackend.complete

        def cut_off(self: PlantedBackend, requests: Any) -> Any:
            for number, answer in enumerate(whole(self, requests)):
                if number == 10:
                    raise RuntimeError("the power fails")
                yield answer

        patch.setattr(complete, cut_off)
        with pytest.raises(RuntimeError, match="the power fails"):
            fade()
    drawn = fade()
    assert (drawn.n_present, drawn.n_drawn) == (10, 86)
    assert fade().n_drawn == 96
    found = rows(
        "select min(n), max(n) from (select count(*) as n from raw.generation group by problem_id)"
    )
    assert found == [(8, 8)]


def test_more_samples_of_what_has_answers_before_it_are_refused(starter: None) -> None:
    with pytest.raises(BadValue, match="more: applies to samples of problems alone"):
        fade(task="resynthesis")
    with pytest.raises(BadValue, match="more: applies to samples of problems alone"):
        fade(prompt="synthesis_chat_planning_v1", options={"chat": True})


def test_a_planted_drop_takes_from_the_samples_after_it() -> None:
    backend = PlantedBackend("x", {"pass_rate": 0.9, "drop": 0.6, "drop_from": 4})
    rates = [backend.pass_probability("a/0", index) for index in range(6)]
    assert rates == pytest.approx([0.9] * 4 + [0.3] * 2)
    with pytest.raises(BadInput, match="drop_from must be at least 0, not -1"):
        PlantedBackend("x", {"drop_from": -1})
