"""The options of a command are the fields of its spec."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import click
import pytest

from runners.cli.main import COMMANDS
from runners.cli.options import bounded
from runners.steps.night_config import STEPS
from warehouse.parameters import Choice, Range, parameters_of, spec_of

SHARED = {"progress", "as_json"}
ONLY_COMMAND = {"export": {"paper", "version"}, "ingest": {"names"}}
ONLY_SPEC = {
    "ingest": {"name"},
    "similarity": {"measures"},
    "build": {"path", "tests", "unit_tests"},
}


def function_of(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


@pytest.mark.parametrize("verb", list(STEPS))
def test_options_are_the_fields_of_the_spec(verb: str) -> None:
    command = import_module(f"runners.cli.commands.{COMMANDS[verb][0]}").command
    options = {each.name: each for each in command.params if each.name not in SHARED}
    fields = parameters_of(spec_of(function_of(STEPS[verb])))
    fields.pop("progress", None)
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
