"""Great Expectations as its documentation uses it, loaded whole: what the gate must agree with.

Run as a program it reads pickled cases from standard input and writes the findings.
"""

import os
import pickle
import sys
from collections.abc import Sequence

import pandas as pd

from warehouse.checks.expectations import Expectation

Case = tuple[pd.DataFrame, list[Expectation]]
Plain = tuple[bool, int | None, list[int]]


def findings(cases: Sequence[Case]) -> list[list[Plain]]:
    """Per case and expectation: success, number of unexpected rows, and which they are."""
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    import great_expectations as gx
    import great_expectations.expectations as gxe

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    asset = context.data_sources.add_pandas("frame").add_dataframe_asset("frame")
    definition = asset.add_batch_definition_whole_dataframe("all")
    found = []
    for frame, suite in cases:
        batch = definition.get_batch({"dataframe": frame})
        found.append([])
        for expectation in suite:
            check = getattr(gxe, expectation.type)(**expectation.kwargs)
            result = batch.validate(check, result_format="COMPLETE")
            rows = [int(row) for row in result.result.get("unexpected_index_list") or []]
            found[-1].append((bool(result.success), result.result["unexpected_count"], rows))
    return found


if __name__ == "__main__":
    sys.stdout.buffer.write(pickle.dumps(findings(pickle.load(sys.stdin.buffer))))
