"""Fit and estimate 20 language models on two datasets from nothing, then after small changes.

    python -m tests.bench.intervals [--samples 1] [--workers 2] [--keep FOLDER]

The rows are those of tests.bench.calibration: 164 and 974 problems, every measure of both versions,
raw and rescaled, as many splits as their rows allow, 2,000 replicates.
"""

import argparse
import json
import resource
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.bench.calibration import LMS, SIZES, plant
from tests.bench.frame import cpu_s, in_a_process, mib_on_disk, peak_mib, planted_warehouse

# one program tried again with another verdict: it counts for all who gave that program
RELABEL = """
insert into raw.outcome by name
select
    program_id, 2 as attempt, if(verdict = 'passed', 'failed', 'passed') as verdict, n_tests,
    n_passed, cpu_s, wall_s, max_rss_kb, why_ended, message, isolation, integrity, run_id,
from raw.outcome
where program_id = (
    select program_id
    from raw.evaluation
    inner join raw.generation using (generation_id)
    where lm_id = md5('lm0')
    order by program_id limit 1
)
"""


def measure(path: Path, workers: int) -> dict[str, Any]:
    """Calibrate, again, and after one verdict changed; returns seconds and counts."""
    from tests.support.steps import build, calibrate
    from warehouse.store.connection import reading, writing

    began = time.monotonic()
    build(path, select="+calibration_subjects +calibration_pairs")
    result: dict[str, Any] = {"build_s": round(time.monotonic() - began, 1)}
    for name in ("from_nothing", "again", "one_verdict_changed"):
        if name == "one_verdict_changed":
            with writing(path) as con:
                con.execute(RELABEL)
        began, cpu = time.monotonic(), cpu_s()
        report = calibrate(workers=workers)
        result[name] = {
            "seconds": round(time.monotonic() - began, 1),
            "cpu_s": round(cpu_s() - cpu, 1),
            **asdict(report),
        }
    if result["again"]["n_subjects"]:
        raise SystemExit(f"the second time was not idle: {result['again']}")
    result["peak_rss_mib"] = round(peak_mib())
    result["largest_worker_mib"] = round(peak_mib(resource.RUSAGE_CHILDREN))
    with reading(path) as con:
        result["drops"] = con.execute("select max(n_dropped) from raw.estimate").fetchall()[0][0]
    result["warehouse_mib"] = mib_on_disk(path)
    return result


def main() -> None:
    """Parse, plant, measure in a separate process (for an honest peak), print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1, help="answers to each problem")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="folder for the warehouse, kept afterwards")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(measure(asked.measure, asked.workers)))
        return
    n_rows = asked.samples * LMS * sum(SIZES.values())
    with planted_warehouse(
        asked.keep, lambda path: plant(path, n_rows, LMS, stop_token=True)
    ) as path:
        found = in_a_process("intervals", "--measure", path, "--workers", asked.workers)
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
