"""From a dataset and a language model to the leaderboard, in one go: the steps of a small night."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ingest.loader import dataset_module
from runners.steps.night_config import planned
from runners.steps.nightly import Listener, NightlyReport, run_steps
from warehouse import settings
from warehouse.facts.problems import ingested_datasets
from warehouse.store.connection import reading

LEFT_OUT = {"calibrate"}
"""What a night always does and the leaderboard does not show."""


def journey(
    sampling: Mapping[str, Any],
    *,
    dataset: str,
    path: Path | None,
    execution: Mapping[str, Any],
    progress: bool,
    listener: Listener | None,
) -> NightlyReport:
    """Ingest the dataset if it is missing, draw, execute, compare, build and publish.

    ``sampling`` are arguments of ``generate``, ``execution`` of ``execute``. Ends with the first
    step that fails. Raises BadInput, before anything is done, for what does not fit.
    """
    dataset_module(dataset)  # raises BadInput for a name that is not known
    source = {"name": dataset, **({"path": str(path.absolute())} if path is not None else {})}
    sampled = {
        name: list(value) if isinstance(value, tuple) else value for name, value in sampling.items()
    }
    steps = planned(
        {
            **({} if path is None and _is_ingested(dataset) else {"ingest": [source]}),
            "generate": [{**sampled, "dataset": dataset}],
            "execute": {**execution, "dataset": dataset},
        }
    )
    wanted = [step for step in steps if step.name not in LEFT_OUT]
    return run_steps(
        f"run {sampling['lm']} on {dataset}",
        wanted,
        progress=progress,
        listener=listener,
        to_the_end=False,
    )


def _is_ingested(dataset: str) -> bool:
    if not settings.warehouse_path().exists():
        return False
    with reading() as con:
        return dataset in ingested_datasets(con)
