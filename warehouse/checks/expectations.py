"""Great Expectations, and no more of it than a check of one frame needs.

``import great_expectations`` loads scipy, altair and readers of fifty file formats: three CPU
seconds before the first check. Loaded here are its own expectation classes, its engine for pandas
frames and its validator, which are what a checkpoint calls in the end; no context, so no project,
no telemetry and no progress bars. A metric that is missing below is an error, never a success.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from warehouse.checks.lazy_packages import lazily

if TYPE_CHECKING:
    import pandas as pd

# What warehouse.checks.suites uses, and the modules that register the metrics behind it.
EXPECTATIONS = (
    "ExpectColumnPairValuesAToBeGreaterThanB",
    "ExpectColumnPairValuesToBeEqual",
    "ExpectColumnValuesToBeBetween",
    "ExpectColumnValuesToBeInSet",
    "ExpectColumnValuesToBeUnique",
    "ExpectColumnValuesToMatchRegex",
    "ExpectColumnValuesToNotBeNull",
    "ExpectCompoundColumnsToBeUnique",
)
METRICS = (
    "column_map_metrics.column_values_between",
    "column_map_metrics.column_values_in_set",
    "column_map_metrics.column_values_match_regex",
    "column_map_metrics.column_values_non_null",
    "column_map_metrics.column_values_null",
    "column_map_metrics.column_values_unique",
    "column_pair_map_metrics.column_pair_values_equal",
    "column_pair_map_metrics.column_pair_values_greater",
    "multicolumn_map_metrics.compound_columns_unique",
    "table_metrics.table_column_types",
    "table_metrics.table_columns",
    "table_metrics.table_row_count",
)
# It does without these where they are not installed.
UNUSED = ("pyspark", "sqlalchemy.dialects.postgresql", "sqlalchemy.dialects.sqlite")


@dataclass(frozen=True)
class Expectation:
    """One Great Expectations check: its class name and arguments."""

    type: str
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """The result of one expectation, with the positions of offending rows where known."""

    expectation: Expectation
    success: bool
    n_unexpected: int | None
    rows: list[int]


def findings(frame: "pd.DataFrame", suite: Sequence[Expectation]) -> list[Finding]:
    """Check a frame against a suite, in its order; raises RuntimeError when a check cannot run.

    Every expectation is about all rows, so one that is met has no unexpected row; details are asked
    for those that are not.
    """
    library = _library()
    engine = library.PandasExecutionEngine()
    engine.load_batch_data("frame", frame)
    validator = library.Validator(execution_engine=engine)
    validator.metrics_calculator.show_progress_bars = False
    found = []
    for expectation, result in zip(suite, _run(validator, suite, "BOOLEAN_ONLY"), strict=True):
        if result.success:
            found.append(Finding(expectation, True, 0, []))
            continue
        (full,) = _run(validator, [expectation], "COMPLETE")
        rows = [int(row) for row in full.result.get("unexpected_index_list") or []]
        found.append(Finding(expectation, False, full.result.get("unexpected_count"), rows))
    return found


def _run(validator: Any, suite: Sequence[Expectation], result_format: str) -> list[Any]:
    classes = _library().expectations
    results: list[Any] = validator.graph_validate(
        configurations=[classes[e.type](**e.kwargs).configuration for e in suite],
        runtime_configuration={"result_format": result_format, "catch_exceptions": True},
    )
    for result in results:
        # where a metric failed, what it raised is here under the name of the metric
        raised = result.exception_info or {}
        if raised.get("raised_exception", bool(raised)):
            raise RuntimeError(f"a check could not run: {result.expectation_config}: {raised}")
    return results


@dataclass(frozen=True)
class _Library:
    PandasExecutionEngine: Any
    Validator: Any
    expectations: dict[str, Any]


@cache
def _library() -> _Library:
    with lazily("great_expectations", without=UNUSED):
        for metric in METRICS:
            import_module(f"great_expectations.expectations.metrics.{metric}")
        import great_expectations.expectations as offered
        from great_expectations.execution_engine.pandas_execution_engine import (
            PandasExecutionEngine,
        )
        from great_expectations.validator.validator import Validator

        expectations = {name: getattr(offered, name) for name in EXPECTATIONS}
    logging.captureWarnings(False)  # its validator module turns that on for everybody
    logging.getLogger("great_expectations").setLevel(logging.CRITICAL)  # what matters is raised
    return _Library(PandasExecutionEngine, Validator, expectations)
