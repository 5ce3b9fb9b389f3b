"""From a dataset and a language model to the leaderboard, in one go: the steps of a small night."""

from ingest.loader import IngestSpec
from runners.problems import stored_problems
from runners.specs import ExecuteSpec, GenerateSpec, SimilaritySpec
from runners.steps.night_config import Planned
from runners.steps.nightly import Listener, NightlyReport, run_steps
from warehouse.snapshot.publish import PublishSpec
from warehouse.views.build import BuildSpec


def journey(
    drawing: GenerateSpec,
    execution: ExecuteSpec,
    *,
    source: IngestSpec | None,
    progress: bool,
    listener: Listener | None,
) -> NightlyReport:
    """Ingest the dataset if it is missing, draw, execute, compare, build and publish.

    ``source`` is the dataset; None for a user's own that is there. Ends with the first step that
    fails. Raises BadInput, before anything is done, for what does not fit.
    """
    is_there = source is None or (
        source.path is None and stored_problems(drawing.dataset) is not None
    )
    steps = [
        *([Planned("ingest", source)] if source is not None and not is_there else []),
        Planned("generate", drawing),
        Planned("execute", execution),
        Planned("similarity", SimilaritySpec()),
        Planned("build", BuildSpec()),
        Planned("publish", PublishSpec()),
    ]
    for step in steps:
        step.fit()
    return run_steps(
        f"run {drawing.lm} on {drawing.dataset}",
        steps,
        progress=progress,
        listener=listener,
        to_the_end=False,
    )
