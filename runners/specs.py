"""Parameters of the verbs that make rows of experiments.

Command options, nightly files and the settings of runs are derived from them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from ingest.dataset_names import ListedOrOwn
from ingest.datasets import DATASETS
from ingest.mutations import MUTATIONS
from ingest.problems.project_kinds import project_kind
from models import words
from models.words import EDITIONS
from runners.drawing.backends import BACKENDS
from runners.measuring.pairs import PAIR_MEASURES, TOKENIZERS
from runners.measuring.similarity import MEASURES
from runners.tasks import REFLECTIONS, TASKS, templates
from runners.tasks.judges import JUDGES
from runners.tasks.strategies import STRATEGIES
from warehouse.errors import AssayError, BadInput
from warehouse.parameters import (
    COUNT,
    CPU_SECONDS,
    MEMORY_MB,
    RESAMPLES,
    SAMPLES,
    SEED,
    TEMPERATURE,
    TOP_P,
    WORKERS,
    BadValue,
    Choice,
    Range,
    Spec,
    on_one_line,
    printable,
)

if TYPE_CHECKING:
    from runners.drawing.backends.base import Backend

ISOLATIONS = ("auto", *words.LEVELS)


@dataclass(frozen=True)
class DatasetName(ListedOrOwn):
    """A dataset, listed or a user's own, or one of a project; the latter may not be there."""

    def __call__(self, value: Any) -> str:
        """Return what is wrong with a name."""
        return "" if project_kind(str(value)) else super().__call__(value)


DATASET = DatasetName(DATASETS, "dataset")
PROGRAMS = ListedOrOwn(DATASETS, "dataset")
PROMPT = Choice(lambda: (templates.ORIGINAL, *STRATEGIES, *templates.names()), "prompt template")
REFLECTION = Choice(REFLECTIONS, "reflection")


@dataclass(frozen=True)
class GenerateSpec(Spec):
    """What is drawn: ``n`` samples of every problem of a dataset.

    Without ``task`` the dataset decides it. The task counterfactual asks both sides of valid pairs,
    of all mutations unless some are named. It takes at most ``max_pairs`` per mutation and edition,
    drawn by ``pair_seed``. The tasks resynthesis and edit turn the descriptions of ``described_by``
    back into code, by default those of the language model itself. ``prompt`` names a strategy, a
    template, or ``original`` for the bare prompt. A template that shows the answers to others has
    these asked before, with the same sampling but without ``stop``. ``truncate`` names the keeping
    rule. A rule other than the default of style and task becomes the label. ``more`` draws
    ``n`` samples beyond those that are stored, for alarms that compare nights.
    """

    unstored: ClassVar = ("revision", "stop")

    backend: Annotated[str, Choice(BACKENDS)]
    lm: Annotated[str, printable]
    dataset: Annotated[str, DATASET]
    n: Annotated[int, SAMPLES]
    more: bool = False
    revision: Annotated[str, on_one_line] = ""
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
    described_by: Annotated[str | None, printable] = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ReflectSpec(Spec):
    """Which reflections are asked of a language model; all templates, unless some are named.

    ``max_tokens`` overrides the template's own limit, which makes another setting of it.
    """

    unstored: ClassVar = ("revision",)

    backend: Annotated[str, Choice(BACKENDS)]
    lm: Annotated[str, printable]
    template: Annotated[str | Sequence[str], REFLECTION] = ()
    dataset: Annotated[str | None, DATASET] = None
    revision: Annotated[str, on_one_line] = ""
    max_tokens: Annotated[int | None, COUNT] = None
    seed: Annotated[int | None, SEED] = None
    options: Mapping[str, Any] = field(default_factory=dict)


NEIGHBOURS = "neighbours"
"""The pairs of Chon et al. (arXiv 2408.14504): disjoint neighbours in the order of the samples."""


@dataclass(frozen=True)
class RateSpec(Spec):
    """Which pairs of programs a language model rates, and by which prompt template.

    ``pairs`` are the paper's neighbours among the first ``max_samples`` samples of a problem, and
    among the right ones of these. Or they are ``all`` pairs of these samples. ``answered_by`` keeps
    to the samples of one language model. ``max_tokens`` overrides the template's own limit. With a
    ``seed`` vote n is drawn under seed + n. What overrides makes another scorer.
    """

    unstored: ClassVar = ("revision",)

    backend: Annotated[str, Choice(BACKENDS)]
    lm: Annotated[str, printable]
    template: Annotated[str, Choice(JUDGES)] = "pair_judge_v1"
    pairs: Annotated[str, Choice((NEIGHBOURS, "all"))] = NEIGHBOURS
    max_samples: Annotated[int, Range(2, 1_000_000_000, whole=True)] = 10
    dataset: Annotated[str | None, DATASET] = None
    answered_by: Annotated[str | None, printable] = None
    revision: Annotated[str, on_one_line] = ""
    max_tokens: Annotated[int | None, COUNT] = None
    seed: Annotated[int | None, SEED] = None
    options: Mapping[str, Any] = field(default_factory=dict)


def fit_backend(spec: GenerateSpec | ReflectSpec | RateSpec) -> "Backend":
    """Return the backend of a spec; raises BadValue for options that it does not take."""
    try:
        return BACKENDS.load(spec.backend)(spec.lm, spec.options)
    except BadInput as error:
        raise BadValue("options", str(error)) from error
    except AssayError as error:
        raise BadValue("backend", str(error)) from error


@dataclass(frozen=True)
class ExecuteSpec(Spec):
    """What is executed, by which rules.

    ``dataset`` keeps to the generations of one dataset; ``rescore`` judges them against the tests
    of another one with the same task names (humaneval on humaneval_plus). ``policy`` names the
    limits; ``cpu_limit``, ``test_cpu_limit`` (seconds) and ``memory_limit`` (MB) replace them.
    ``reference_cpu_limit`` bounds a reference, in seconds; ``retry_rejected`` measures rejected
    references again. ``try_limits`` multiplies the limits of programs that were cut off, for the
    view limit_sensitivity. ``limit`` bounds the number of programs. Runs store the label of the
    policy in place of its name and limits.
    """

    unstored: ClassVar = (
        *("cpu_limit", "test_cpu_limit", "memory_limit"),
        *("retry_rejected", "try_limits"),
    )

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


@dataclass(frozen=True)
class DatasetCheckSpec(Spec):
    """Which file or folder of a user's own dataset is checked, and how its references run."""

    path: Path
    trust_tests: bool = False
    workers: Annotated[int, WORKERS] = 2
    isolation: Annotated[str, Choice(ISOLATIONS)] = "auto"


@dataclass(frozen=True)
class MutateSpec(Spec):
    """Which mutations are searched for in the references of a dataset, and how mutants run."""

    dataset: Annotated[str, PROGRAMS]
    mutations: Annotated[Sequence[str], Choice(MUTATIONS)] = tuple(MUTATIONS)
    workers: Annotated[int, WORKERS] = 2
    isolation: Annotated[str, Choice(ISOLATIONS)] = "auto"


@dataclass(frozen=True)
class SimilaritySpec(Spec):
    """What is compared, by which measures.

    Pairs are taken among the first ``max_samples`` samples a language model gave to a problem under
    one setting. The number of pairs grows with its square. Pairs left out make the views' Sim over
    all samples NULL for that problem, with its reason. ``measures`` count shared tokens,
    ``pair_measures`` give a score; ``encoder`` is the folder of the encoder for ``embedding_v1``.
    ``text_measures`` compare the programs of round trips with the code that was taken out. Those of
    words also compare descriptions of edits with what people said of them.
    """

    unstored: ClassVar = ("measures", "pair_measures", "text_measures", "workers")

    max_samples: Annotated[int, Range(2, 1_000_000_000, whole=True)] = 200
    measures: Annotated[Sequence[str], Choice(TOKENIZERS, "measure")] = tuple(TOKENIZERS)
    pair_measures: Annotated[Sequence[str], Choice(PAIR_MEASURES, "measure of pairs")] = tuple(
        PAIR_MEASURES
    )
    text_measures: Annotated[Sequence[str], Choice(MEASURES, "measure of two texts")] = tuple(
        MEASURES
    )
    encoder: Path | None = None
    workers: Annotated[int, WORKERS] = 2

    def conflicts(self) -> Iterator[tuple[str, str]]:
        """Yield an encoder that is no folder, before anything long begins."""
        if self.encoder is not None and not self.encoder.is_dir():
            yield "encoder", f"{self.encoder} is no folder: name that of a saved encoder"


@dataclass(frozen=True)
class CalibrateSpec(Spec):
    """What is fitted and estimated.

    ``seeds`` bounds the splits of version 2, which follow from the number of rows. Without
    ``intervals`` only curves are fitted, and the estimates wait for another call.
    """

    seeds: Annotated[int, Range(1, words.MOST_SPLITS, whole=True)] = words.MOST_SPLITS
    replicates: Annotated[int, RESAMPLES] = 2000
    intervals: bool = True
    lm: str | None = None
    dataset: Annotated[str | None, DatasetName(DATASETS, "dataset", claimed=True)] = None
    workers: Annotated[int, WORKERS] = 2
