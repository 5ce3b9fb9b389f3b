"""A value without an interval says why, in every view; one with an interval gives no reason."""

from collections import defaultdict
from pathlib import Path

import pytest

from tests.support.sql import rows_of
from tests.support.steps import build
from tests.support.worlds.ame import planted_pair_world
from tests.support.worlds.world import random_world
from warehouse.store.connection import reading

COLUMNS = """
    select table_name, column_name from information_schema.columns
    where table_schema = 'main' order by ordinal_position
"""
REASONS = ("{}_interval_null_reason", "interval_null_reason", "{}_null_reason", "null_reason")
"""The reason of a value is in the first of these columns that a view has. Without one, its values
must always have an interval."""

OTHERS = {"wilson"}
"""Another interval of a value that has one: of bins, as if rows were independent."""


def reason_of(value: str, columns: list[str]) -> str:
    """Return the SQL of why a value has no interval."""
    names = [name.format(value) for name in REASONS]
    if "interval_null_reasons" in columns and names[0] not in columns:
        return f"nullif(contains(coalesce(interval_null_reasons, ''), '{value}: '), false)"
    return next((name for name in names if name in columns), "null")


@pytest.mark.long(seconds=40)
@pytest.mark.parametrize("n_problems", ["few", "many"])
def test_a_value_without_an_interval_has_a_reason(tmp_path: Path, n_problems: str) -> None:
    world = random_world(7) if n_problems == "few" else planted_pair_world(1)
    path = world.write(tmp_path / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path)
    views: dict[str, list[str]] = defaultdict(list)
    n_without, n_with = 0, 0
    with reading(path) as con:
        for row in rows_of(con, COLUMNS):
            views[row["table_name"]].append(row["column_name"])
        for view, columns in views.items():
            ends = [name for name in columns if name.endswith("_lo")]
            for value in sorted({end.removesuffix("_lo") for end in ends} - OTHERS):
                reason = reason_of(value, columns)
                counts = f"""
                    select
                        count(*) filter ({value} is not null and {value}_lo is null) as n_without,
                        count(*) filter ({value}_lo is not null) as n_with,
                        count(*) filter (
                            {value} is not null and {value}_lo is null and {reason} is null
                        ) as n_silent,
                        count(*) filter ({value}_lo is not null and {reason} is not null)
                            as n_contradicted,
                    from {view}
                """
                (found,) = rows_of(con, counts)
                assert (view, value, found["n_silent"], found["n_contradicted"]) == (
                    view,
                    value,
                    0,
                    0,
                )
                n_without += found["n_without"]
                n_with += found["n_with"]
    assert (n_without if n_problems == "few" else n_with) > 500
