"""Registries: one shape, one protocol each, and every entry keeps it."""

import ast
import inspect
import re
from collections.abc import Callable
from typing import Any

import click
import pytest

from ingest.answers import RULES
from ingest.answers.truncate import TruncationRule
from ingest.claims import CLAIM_FORMATS
from ingest.claims.layout import ClaimFormat
from ingest.datasets import DATASETS
from ingest.imports import FORMATS
from ingest.imports.layout import ImportFormat
from ingest.mutations import MUTATIONS
from ingest.mutations.base import Mutation
from ingest.problems.dataset import Dataset
from models import words
from runners.cli.main import COMMANDS
from runners.drawing.backends import BACKENDS
from runners.drawing.backends.base import Backend
from runners.judging.languages import OTHER_LANGUAGES
from runners.judging.languages.base import Language
from runners.measuring.pairs import PAIR_MEASURES, TOKENIZERS
from runners.measuring.pairs.base import PairMeasure
from runners.measuring.similarity import MEASURES
from runners.measuring.similarity.base import TextMeasure
from runners.steps.night_config import FITS, STEPS
from runners.tasks import REFLECTIONS, TASKS
from runners.tasks.base import Task
from runners.tasks.judges import JUDGES
from runners.tasks.judges.forms import JudgeForm
from runners.tasks.reflection import ReflectionForm
from runners.tasks.strategies import STRATEGIES
from runners.tasks.strategies.base import Strategy
from tests.data import ROOT
from warehouse.errors import BadInput
from warehouse.registry import Registry
from warehouse.reports.papers import PAPERS
from warehouse.reports.papers.sheet import Paper
from warehouse.reports.plots import PLOTS
from warehouse.reports.plots.select import Plot


def instance_of(kind: type) -> Callable[[Any], bool]:
    return lambda entry: isinstance(entry, kind)


def subclass_of(protocol: type) -> Callable[[Any], bool]:
    return lambda entry: inspect.isclass(entry) and protocol in entry.__mro__


def called_as(protocol: type) -> Callable[[Any], bool]:
    wanted = [name for name in inspect.signature(protocol.__call__).parameters if name != "self"]
    return lambda entry: list(inspect.signature(entry).parameters) == wanted


def takes_a_spec(entry: Any) -> bool:
    return next(iter(inspect.signature(entry).parameters)) == "spec"


def versions(entry: Any) -> bool:
    return bool(entry) and all(issubclass(each, Mutation) for each in entry)


def tokenizer(entry: Any) -> bool:
    return isinstance(entry("a = 1"), list)


REGISTRIES: dict[str, tuple[Registry[Any], Callable[[Any], bool]]] = {
    "BACKENDS": (BACKENDS, subclass_of(Backend)),
    "CLAIM_FORMATS": (CLAIM_FORMATS, instance_of(ClaimFormat)),
    "COMMANDS": (COMMANDS, instance_of(click.Command)),
    "DATASETS": (DATASETS, instance_of(Dataset)),
    "FITS": (FITS, takes_a_spec),
    "FORMATS": (FORMATS, instance_of(ImportFormat)),
    "JUDGES": (JUDGES, instance_of(JudgeForm)),
    "MEASURES": (MEASURES, called_as(TextMeasure)),
    "MUTATIONS": (MUTATIONS, versions),
    "OTHER_LANGUAGES": (OTHER_LANGUAGES, instance_of(Language)),
    "PAIR_MEASURES": (PAIR_MEASURES, subclass_of(PairMeasure)),
    "PAPERS": (PAPERS, instance_of(Paper)),
    "PLOTS": (PLOTS, called_as(Plot)),
    "REFLECTIONS": (REFLECTIONS, instance_of(ReflectionForm)),
    "RULES": (RULES, called_as(TruncationRule)),
    "STEPS": (STEPS, takes_a_spec),
    "STRATEGIES": (STRATEGIES, instance_of(Strategy)),
    "TASKS": (TASKS, subclass_of(Task)),
    "TOKENIZERS": (TOKENIZERS, tokenizer),
}
ENTRIES = [(kind, name) for kind, (registry, _) in REGISTRIES.items() for name in registry]


@pytest.mark.parametrize(("kind", "name"), ENTRIES)
def test_an_entry_keeps_the_protocol_of_its_registry(kind: str, name: str) -> None:
    registry, keeps = REGISTRIES[kind]
    module, colon, attribute = registry[name].partition(":")
    assert all((module, colon, attribute))
    assert keeps(registry.load(name))


IMPORT_PATH = re.compile(r"^(models|warehouse|ingest|runners)(\.\w+)+:\w+$")


def import_paths(tree: ast.AST) -> int:
    """Count the values of mappings that name something to import."""
    return sum(
        isinstance(value, ast.Constant) and bool(IMPORT_PATH.match(str(value.value)))
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for value in node.values
    )


def test_no_registry_escapes() -> None:
    """Every registry of the rooms is here, and no other mapping holds import paths."""
    found, elsewhere = set(), []
    for room in ("models", "warehouse", "ingest", "runners"):
        for path in (ROOT / room).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            registries = [
                node
                for node in ast.walk(tree)
                if isinstance(node, ast.AnnAssign) and "Registry[" in ast.unparse(node.annotation)
            ]
            found |= {ast.unparse(node.target) for node in registries}
            if import_paths(tree) > sum(map(import_paths, registries)):
                elsewhere.append(path.relative_to(ROOT).as_posix())
    assert found == set(REGISTRIES)
    assert elsewhere == []
    assert import_paths(ast.parse("A = {'a': 'runners.steps.execute:execute'}")) == 1


def test_the_measures_of_similarity_are_those_of_the_rows() -> None:
    assert tuple(TOKENIZERS) == words.SIMILARITIES
    assert tuple(MEASURES) == tuple(words.TEXT_MEASURES)


@pytest.mark.parametrize("kind", REGISTRIES)
def test_an_unknown_name_gets_the_known_ones(kind: str) -> None:
    registry, _ = REGISTRIES[kind]
    with pytest.raises(BadInput) as raised:
        registry.load("nothing")
    known = ", ".join(registry)
    assert str(raised.value) == f"there is no {registry.noun} 'nothing'; available: {known}"
