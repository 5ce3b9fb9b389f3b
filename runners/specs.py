"""Parameters of the steps; options, nightly files and stored settings are derived from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from ingest.datasets import DATASETS
from ingest.mutations import EDITIONS, MUTATIONS
from models import words
from runners.drawing.backends import BACKENDS
from runners.tasks import TASKS, templates
from warehouse.parameters import (
    COUNT,
    CPU_SECONDS,
    MEMORY_MB,
    SAMPLES,
    SEED,
    TEMPERATURE,
    TOP_P,
    WORKERS,
    Choice,
    Range,
    settings_of,
)

ISOLATIONS = ("auto", *words.LEVELS)
DATASET = Choice(DATASETS, "dataset")
PROMPT = Choice(lambda: (templates.ORIGINAL, *templates.names()), "prompt template")


def _reflections() -> Sequence[str]:
    from runners.tasks.reflection import WAYS  # loads the backends' client

    return tuple(WAYS)


REFLECTION = Choice(_reflections, "reflection")


@dataclass(frozen=True)
class GenerateSpec:
    """What is drawn: ``n`` samples of every problem of a dataset.

    The task follows from the dataset, or is counterfactual: both sides of its valid pairs, of all
    mutations unless some are named, at most ``max_pairs`` per mutation and edition, drawn by
    ``pair_seed``. ``prompt`` names a template, or ``original`` for the bare prompt. ``truncate``
    names the keeping rule. A rule other than the default of style and task becomes the setting's
    label.
    """

    backend: Annotated[str, Choice(BACKENDS)]
    lm: str
    dataset: Annotated[str, DATASET]
    n: Annotated[int, SAMPLES]
    revision: str = ""
    temperature: Annotated[float | None, TEMPERATURE] = None
    top_p: Annotated[float | None, TOP_P] = None
    max_tokens: Annotated[int | None, COUNT] = None
    stop: Sequence[str] = ()
    seed: Annotated[int | None, SEED] = None
    prompt: Annotated[str | None, PROMPT] = None
    truncate: str | None = None
    task: Annotated[str | None, Choice(TASKS)] = None
    mutations: Annotated[Sequence[str], Choice(MUTATIONS)] = ()
    editions: Annotated[Sequence[int], Choice(EDITIONS)] = EDITIONS
    max_pairs: Annotated[int, COUNT] = words.MAX_PAIRS
    pair_seed: Annotated[int, SEED] = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def settings(self) -> dict[str, Any]:
        """Return what the run stores."""
        return settings_of(self, "revision", "stop")


@dataclass(frozen=True)
class ReflectSpec:
    """Which reflections are asked of a language model; no template stands for all.

    ``max_tokens`` overrides the template's own limit, which makes another setting of it.
    """

    backend: Annotated[str, Choice(BACKENDS)]
    lm: str
    template: Annotated[str | Sequence[str], REFLECTION] = ()
    dataset: Annotated[str | None, DATASET] = None
    revision: str = ""
    max_tokens: Annotated[int | None, COUNT] = None
    seed: Annotated[int | None, SEED] = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def settings(self) -> dict[str, Any]:
        """Return what the run stores."""
        return settings_of(self, "revision")


@dataclass(frozen=True)
class ExecuteSpec:
    """What is executed, by which rules.

    ``dataset`` keeps to the generations of one dataset; ``rescore`` judges them against the tests
    of another one with the same task names (humaneval on humaneval_plus). ``policy`` names the
    limits and the next three set others (seconds, seconds of one test, MB); ``reference_cpu_limit``
    is what a reference may take, ``retry_rejected`` measures rejected ones again. ``try_limits``
    then runs what was cut off under so many times its limits, for the view limit_sensitivity.
    ``limit`` bounds the number of programs.
    """

    dataset: Annotated[str | None, DATASET] = None
    rescore: Annotated[str | None, DATASET] = None
    workers: Annotated[int, WORKERS] = 2
    isolation: Annotated[str, Choice(ISOLATIONS)] = "auto"
    policy: Annotated[str, Choice(words.POLICIES)] = words.CALIBRATED
    cpu_limit: Annotated[float | None, CPU_SECONDS] = None
    test_cpu_limit: Annotated[float | None, CPU_SECONDS] = None
    memory_limit: Annotated[int | None, MEMORY_MB] = None
    reference_cpu_limit: Annotated[float, CPU_SECONDS] = 60.0
    retry_rejected: bool = False
    try_limits: Annotated[float | None, Range(1, 100, low_open=True)] = None
    limit: Annotated[int | None, COUNT] = None

    def settings(self) -> dict[str, Any]:
        """Return what the runs store; the label of the policy replaces its name and limits."""
        limits = ("cpu_limit", "test_cpu_limit", "memory_limit")
        return settings_of(self, *limits, "retry_rejected", "try_limits")
