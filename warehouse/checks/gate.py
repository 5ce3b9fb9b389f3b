"""Great Expectations guards the door: a frame that breaks its suite is refused whole."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from models.base import Row
from models.keys import content_key
from models.tables import GateReject, GateResult
from warehouse.checks.expectations import Expectation, findings
from warehouse.checks.suites import suite_of
from warehouse.frames import name_of

if TYPE_CHECKING:
    import pandas as pd

MAX_REJECTS = 20
MAX_TEXT = 200


@dataclass(frozen=True)
class GateVerdict:
    """The gate's finding on one frame: rows to store, and the first failure in words."""

    results: list[GateResult]
    rejects: list[GateReject]
    failure: str | None


def check(table: type[Row], frame: pa.Table, run_id: str) -> GateVerdict:
    """Check a frame against its table's suite; changes nothing."""
    pandas_frame = _checkable(frame)
    suite = [*suite_of(table), *_no_nan(frame)]
    results: list[GateResult] = []
    rejects: list[GateReject] = []
    failure = None
    for number, found in enumerate(findings(pandas_frame, suite)):
        expectation = found.expectation
        result = GateResult(
            gate_result_id=content_key(
                run_id, name_of(table), number, datetime.now(UTC).isoformat()
            ),
            run_id=run_id,
            table_name=name_of(table),
            expectation=expectation.type,
            column_name=expectation.kwargs.get("column"),
            success=found.success,
            n_rows=frame.num_rows,
            n_unexpected=found.n_unexpected,
            checked_at=datetime.now(UTC),
        )
        results.append(result)
        if found.success:
            continue
        for row in found.rows[:MAX_REJECTS]:
            rejects.append(
                GateReject(
                    gate_reject_id=content_key(result.gate_result_id, row),
                    gate_result_id=result.gate_result_id,
                    row_number=row,
                    row_json=_row_json(frame, row),
                )
            )
        if failure is None:
            arguments = {k: v for k, v in expectation.kwargs.items() if k != "ignore_row_if"}
            shown = "".join(f"; first: row {row} {_row_json(frame, row)}" for row in found.rows[:1])
            failure = (
                f"{name_of(table)}: frame of {frame.num_rows} rows refused: {expectation.type} "
                f"{json.dumps(arguments, default=str)} broken by {found.n_unexpected or 'all'} rows"
                f"{shown}"
            )
    return GateVerdict(results, rejects, failure)


def _checkable(frame: pa.Table) -> "pd.DataFrame":
    """Return a pandas frame whose list columns became lengths and extremes, and NaN a flag."""
    columns: dict[str, Any] = {}
    for name in frame.column_names:
        column = frame[name].combine_chunks()
        if pa.types.is_list(column.type):
            columns[f"{name}__length"] = pc.list_value_length(column)
            columns[name] = pc.if_else(pc.is_null(column), pa.scalar(None, pa.bool_()), True)
            if pa.types.is_floating(column.type.value_type):
                columns[f"{name}__max"] = _list_max(column)
                nan = pc.any(pc.is_nan(column.flatten())).as_py()
                columns[f"{name}__is_nan"] = pa.array([bool(nan)] * len(column))
        else:
            columns[name] = column
            if pa.types.is_floating(column.type):
                columns[f"{name}__is_nan"] = pc.fill_null(pc.is_nan(column), False)
    checkable: pd.DataFrame = pa.table(columns).to_pandas()
    return checkable


def _list_max(column: pa.Array) -> pa.Array:
    flat = pa.table({"row": pc.list_parent_indices(column), "value": column.flatten()})
    best = flat.group_by("row").aggregate([("value", "max")])
    by_row = dict(zip(best["row"].to_pylist(), best["value_max"].to_pylist(), strict=True))
    return pa.array([by_row.get(row) for row in range(len(column))], type=pa.float64())


def _no_nan(frame: pa.Table) -> list[Expectation]:
    names = [
        field.name
        for field in frame.schema
        if pa.types.is_floating(field.type)
        or (pa.types.is_list(field.type) and pa.types.is_floating(field.type.value_type))
    ]
    return [
        Expectation(
            "ExpectColumnValuesToBeInSet", {"column": f"{name}__is_nan", "value_set": [False]}
        )
        for name in names
    ]


def _row_json(frame: pa.Table, row: int) -> str:
    values = frame.slice(row, 1).to_pylist()[0]
    return json.dumps({name: _short(value) for name, value in values.items()}, default=str)


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return value[:MAX_TEXT] + "..."
    if isinstance(value, list) and len(value) > 10:
        return [*value[:10], "..."]
    return value
