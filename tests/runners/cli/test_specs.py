"""The options of a command are the fields of its spec."""

from collections.abc import Callable
from typing import Any

import click
import pytest

from runners.cli.main import COMMANDS
from runners.cli.options import bounded
from runners.cli.projects import COMMANDS as OF_PROJECTS
from runners.specs import (
    CalibrateSpec,
    ExecuteSpec,
    GenerateSpec,
    MutateSpec,
    RateSpec,
    ReflectSpec,
    SimilaritySpec,
)
from runners.steps.night_config import STEPS
from warehouse.parameters import BadValue, Choice, Range, parameters_of, spec_of
from warehouse.reports.plots.spec import PlotSpec
from warehouse.reports.specs import CompareSpec, ExportSpec, LeaderboardSpec, PaperSpec
from warehouse.snapshot.publish import PublishSpec

SHARED = {"progress", "as_json"}
ONLY_COMMAND = {
    "export": parameters_of(PaperSpec).keys() - parameters_of(ExportSpec).keys(),
    "ingest": {"names", "own_name"},
    **{word: {"every"} for word in OF_PROJECTS},
}
ONLY_SPEC = {
    "ingest": {"name"},
    "similarity": {"measures", "pair_measures", "text_measures"},
}


SPECS = {verb: spec_of(STEPS.load(verb)) for verb in STEPS} | {
    "compare": CompareSpec,
    "leaderboard": LeaderboardSpec,
    "plot": PlotSpec,
}


@pytest.mark.parametrize("verb", SPECS)
def test_options_are_the_fields_of_the_spec(verb: str) -> None:
    command = OF_PROJECTS.get(verb) or COMMANDS.load(verb)
    options = {each.name: each for each in command.params if each.name not in SHARED}
    fields = parameters_of(SPECS[verb])
    assert options.keys() - fields.keys() == ONLY_COMMAND.get(verb, set())
    assert fields.keys() - options.keys() == ONLY_SPEC.get(verb, set())
    for name in options.keys() & fields.keys():
        option, field = options[name], fields[name]
        given = option.to_info_dict().get("default")
        if given not in (None, ()) and not isinstance(
            option.type, click.types.UnprocessedParamType
        ):
            assert field.default == given, f"{verb} {name}"
        for rule in field.rules:
            if isinstance(rule, Range):
                assert option.type.to_info_dict() == bounded(rule).to_info_dict(), f"{verb} {name}"
            if isinstance(rule, Choice) and isinstance(option.type, click.Choice):
                assert list(map(str, option.type.choices)) == list(map(str, rule.names))


def test_a_run_stores_the_settings_that_it_always_stored() -> None:
    drawn = {"backend": "planted", "lm": "m", "dataset": "starter"}
    assert set(CalibrateSpec().settings()) == {
        *("seeds", "replicates", "intervals", "lm", "dataset", "workers"),
    }
    assert SimilaritySpec().settings() == {"max_samples": 200, "encoder": None}
    assert set(MutateSpec("starter").settings()) == {
        *("dataset", "mutations", "workers", "isolation"),
    }
    assert set(ReflectSpec("planted", "m").settings()) == {
        *(*drawn, "template", "max_tokens", "seed", "options"),
    }
    assert set(RateSpec("planted", "m").settings()) == {
        *(*drawn, "template", "pairs", "max_samples", "answered_by", "max_tokens", "seed"),
        "options",
    }
    assert set(GenerateSpec(**drawn, n=1).settings()) == {
        *(*drawn, "n", "more", "temperature", "top_p", "max_tokens", "seed", "prompt", "truncate"),
        *("task", "mutations", "editions", "max_pairs", "pair_seed", "described_by", "options"),
    }


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: ExecuteSpec(policy="hope"), "policy: there is no 'hope'; available: calibrated"),
        (lambda: ExecuteSpec(try_limits=1.0), "try_limits: 1.0 is not in the range 1<x<=100"),
        (lambda: ReflectSpec("planted", "m", "nope"), "template: there is no reflection 'nope'"),
        (lambda: RateSpec("planted", "m", pairs="some"), "pairs: there is no 'some'; available"),
        (lambda: PublishSpec(keep=0), "keep: 0 is not in the range x>=1"),
        (lambda: ExportSpec(view="a", sql="select 1"), "name either a view or a query"),
        (lambda: SimilaritySpec(measures=["words"]), "measures: there is no measure 'words'"),
    ],
)
def test_a_spec_checks_itself(make: Callable[[], Any], reason: str) -> None:
    with pytest.raises(BadValue, match=reason.replace("(", "\\(")):
        make()
