"""Great Expectations, and no more of it than a check of one frame needs.

``import great_expectations`` loads scipy, altair and readers of fifty file formats: three CPU
seconds before the first check. Loaded here are its own expectation classes, its engine for pandas
frames and its validator, which are what a checkpoint calls in the end. No context, so no project,
no telemetry and no progress bars. A metric that is missing below is an error, never a success.
"""

import logging
from collections.abc import Iterator, Sequence
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
# First each expectation is asked for success alone.
BRIEFLY = {"result_format": "BOOLEAN_ONLY"}


@dataclass(frozen=True)
class Expectation:
    """One Great Expectations check: its class name and arguments."""

    type: str
    kwargs: dict[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.type, repr(sorted(self.kwargs.items()))))


@dataclass(frozen=True)
class Finding:
    """The result of one expectation, with the positions of offending rows where known."""

    expectation: Expectation
    success: bool
    n_unexpected: int | None
    rows: list[int]


def findings(frame: "pd.DataFrame", suite: Sequence[Expectation]) -> list[Finding]:
    """Check a frame against a suite, in its order; raises RuntimeError when a check cannot run.

    Every expectation is about all rows, so one that is met holds in every row; details are asked
    only of the others.
    """
    validator = _validator(frame)
    found = []
    for expectation, success in zip(suite, _plan(tuple(suite)).met(validator), strict=True):
        if success:
            found.append(Finding(expectation, True, 0, []))
            continue
        result = _details(validator, expectation)
        rows = [int(row) for row in result.get("unexpected_index_list") or []]
        found.append(Finding(expectation, False, result.get("unexpected_count"), rows))
    return found


def _validator(frame: "pd.DataFrame") -> Any:
    library = _library()
    engine = library.PandasExecutionEngine()
    engine.load_batch_data("frame", frame)
    validator = library.Validator(execution_engine=engine)
    validator.metrics_calculator.show_progress_bars = False
    return validator


@dataclass(frozen=True)
class _Plan:
    """What a suite asks of a frame: the library finds it out once, it is the same for all frames.

    ``edges`` is the graph of all metrics. Each expectation comes with the ids of its metrics,
    by the names under which it reads them.
    """

    edges: list[Any]
    expectations: list[tuple[Any, dict[str, Any]]]

    def met(self, validator: Any) -> Iterator[bool]:
        """Say of each expectation whether the frame of the validator meets it."""
        engine = validator.execution_engine
        metrics, aborted = validator.metrics_calculator.resolve_validation_graph(
            graph=_library().ValidationGraph(execution_engine=engine, edges=list(self.edges)),
            runtime_configuration=dict(BRIEFLY),
            min_graph_edges_pbar_enable=0,
        )
        if aborted:
            raise RuntimeError(f"a check could not run: {aborted}")
        for expectation, ids in self.expectations:
            result = expectation._validate(
                metrics={name: metrics[number] for name, number in ids.items()},
                runtime_configuration=dict(BRIEFLY),
                execution_engine=engine,
            )
            yield bool(result["success"])


@cache
def _plan(suite: tuple[Expectation, ...]) -> _Plan:
    import pandas as pd

    validator = _validator(pd.DataFrame())
    edges: list[Any] = []
    expectations = []
    for each in suite:
        expectation = _library().expectations[each.type](**each.kwargs)
        needed = expectation.get_validation_dependencies(
            execution_engine=validator.execution_engine, runtime_configuration=dict(BRIEFLY)
        )
        graph = validator.metrics_calculator.build_metric_dependency_graph(
            metric_configurations=needed.get_metric_configurations(),
            runtime_configuration=dict(BRIEFLY),
        )
        edges += graph.edges
        ids = {name: metric.id for name, metric in needed.metric_configurations.items()}
        expectations.append((expectation, ids))
    return _Plan(edges, expectations)


def _details(validator: Any, expectation: Expectation) -> Any:
    """Return the library's whole result for an expectation that is not met."""
    configuration = _library().expectations[expectation.type](**expectation.kwargs).configuration
    (result,) = validator.graph_validate(
        configurations=[configuration],
        runtime_configuration={"result_format": "COMPLETE", "catch_exceptions": True},
    )
    # where a metric failed, what it raised is here under the name of the metric
    raised = result.exception_info or {}
    if raised.get("raised_exception", bool(raised)):
        raise RuntimeError(f"a check could not run: {result.expectation_config}: {raised}")
    return result.result


@dataclass(frozen=True)
class _Library:
    PandasExecutionEngine: Any
    ValidationGraph: Any
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
        from great_expectations.validator.validation_graph import ValidationGraph
        from great_expectations.validator.validator import Validator

        expectations = {name: getattr(offered, name) for name in EXPECTATIONS}
    logging.captureWarnings(False)  # its validator module turns that on for everybody
    logging.getLogger("great_expectations").setLevel(logging.CRITICAL)  # what matters is raised
    return _Library(PandasExecutionEngine, ValidationGraph, Validator, expectations)
