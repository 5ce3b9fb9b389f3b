"""Build the views over planted rows and print what it costs.

    python -m tests.bench.views [--rows 1000000] [--keep FOLDER]

The rows are made by SQL: language models x problems x 100 samples. Each sample has a separate
program with a separate outcome (the hardest case: nothing is shared). Token counts are planted for
all pairs of each problem's first ten samples. By another measure they are planted for neighbours (0
and 1, 2 and 3, ...) of all samples. The first build sends the statements that came with the
project; where a view was changed since, dbt makes it (``make dbt`` first). Then comes a run without
rows (``idle``), and a ``night`` with one more language model, whose answers add 1 % of the
generations. These two are built in another process, as a real night is. In that of a whole build of
ten million, a night takes up to twice as long.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from tests.bench.frame import (
    cpu_s,
    in_a_process,
    mib_on_disk,
    peak_mib,
    plant_rows,
    planted_warehouse,
)
from warehouse.views.statements import sending

MARTS = (
    "pass_at_k",
    "sim_at_k",
    "sim_at_k_v1",
    "execution_health",
    "execution_runs",
    "leaderboard",
)
SAMPLES = 100
DEAREST = 10

CELLS = """
create temp table cell as
select
    i as lm, number as problem,
    md5('lm' || i) as lm_id,
    md5('problem' || number) as problem_id,
    -- a language model's skill against a problem's difficulty
    1 / (1 + exp(-((i % 20) / 5.0 - 2 + sin(number) * 2))) as p,
from lm, problem;
"""

SETTING = """
insert into raw.setting by name
select
    md5('setting') as setting_id, 'synthesis' as task, 'completion' as style,
    'original' as prompt_kind, 0.8 as temperature, 0.95 as top_p, 512 as max_tokens,
    '[]' as stop, null as seed, false as resampled, '' as label, md5('run') as run_id;
"""

RUN = """
insert into raw.run
select md5('{run}'), 'execute', now(), 'bench', null, null, '{{}}', '{{}}', '{{}}';
"""

NIGHT = """
create temp table lm as select {lm} as i;

create temp table problem as select number from range({problems}) as t(number);

insert into raw.language_model by name
select
    md5('lm' || i) as lm_id, 'planted-' || i as lm, '' as revision, true as simulated,
    null as n_parameters, null as planted, md5('{run}') as run_id,
from lm;
"""

DRAWN = """
create temp table sample as
select
    lm_id, problem_id, problem, s as sample_index,
    md5(concat_ws(':', 'g', lm, problem, s)) as generation_id,
    md5(concat_ws(':', 'c', lm, problem, s)) as candidate_id,
    md5(concat_ws(':', 'q', lm, problem, s)) as program_id,
    (md5_number_lower(concat_ws(':', 'u', lm, problem, s)) >> 32) / 4294967296.0 < p as passed,
from cell, range({samples}) as t(s);

insert into raw.generation by name
select
    generation_id, lm_id, problem_id, md5('variant' || problem) as variant_id,
    md5('setting') as setting_id, sample_index, null as parent_generation_id, 'planted' as source,
    generation_id as text_key, 'stop' as finish_reason, 100 as n_prompt_tokens,
    50 as n_completion_tokens, 1.0 as latency_s, null as cost_usd, null as claimed_pass,
    md5('run') as run_id,
from sample;

insert into raw.candidate by name
select
    candidate_id, 'def f(x):' || chr(10) || '    return ' || candidate_id as source,
    true as parses, 50 as n_characters, md5('run') as run_id,
from sample;

insert into raw.program by name
select
    program_id, candidate_id, problem_id, md5('admission' || problem) as admission_id,
    md5('run') as run_id,
from sample;

insert into raw.evaluation by name
select
    md5('e' || generation_id) as evaluation_id, generation_id, problem_id, candidate_id,
    program_id, md5('run') as run_id,
from sample;

insert into raw.outcome by name
select
    program_id, 1 as attempt,
    case
        when passed then 'passed'
        when sample_index % 10 = 0 then 'timeout'
        when sample_index % 10 = 1 then 'error'
        else 'failed'
    end as verdict,
    5 as n_tests, if(passed, 5, 2) as n_passed, 0.01 + sample_index / 1000.0 as cpu_s,
    0.02 as wall_s, 20000 as max_rss_kb, 'exit' as why_ended, null as message,
    'ns+seccomp' as isolation, 'split' as integrity, md5('run') as run_id,
from sample;
"""

PAIRS = """
create temp table pair as
select problem_id, a.candidate_id as x, b.candidate_id as y, 'tokens_v2' as measure,
from sample as a
inner join sample as b using (lm_id, problem_id)
where a.sample_index < b.sample_index and b.sample_index < 10
union all
select problem_id, a.candidate_id as x, b.candidate_id as y, 'scc_v1' as measure,
from sample as a
inner join sample as b using (lm_id, problem_id)
where a.sample_index + 1 = b.sample_index and b.sample_index % 2 = 1;

insert into raw.pair_count_block by name
with pairs as (
    select measure, problem_id, least(x, y) as a, greatest(x, y) as b from pair
),

blocks as (
    select
        measure, problem_id, list_sort(list_distinct(flatten(list([a, b])))) as candidates,
        list(struct_pack(a := a, b := b)) as ends,
    from pairs
    group by measure, problem_id
)

select
    md5(concat(measure, problem_id, candidates[1])) as block_id, measure, candidates,
    list_transform(candidates, lambda name: 20) as n_tokens,
    list_transform(ends, lambda each: list_position(candidates, each.a)) as firsts,
    list_transform(ends, lambda each: list_position(candidates, each.b)) as seconds,
    list_transform(ends, lambda each: md5_number_lower(each.a || each.b) % 21) as n_shared,
    md5('run') as run_id,
from blocks;
"""


def plant(path: Path, n_rows: int) -> None:
    """Write about ``n_rows`` generations with outcomes into a new warehouse."""
    scale = max(1, round(n_rows / 1_000_000))
    problems = 500 if n_rows >= 1_000_000 else max(1, n_rows // (20 * SAMPLES))
    lms = 20 * scale if scale < 4 else 10 * scale
    problems = problems if scale < 4 else 2 * problems
    drawn = DRAWN.format(samples=SAMPLES)
    plant_rows(path, {"planted": problems}, lms, CELLS + SETTING + drawn + PAIRS)


def add_run(path: Path) -> None:
    """Write a run without any other row."""
    from warehouse.store.connection import writing

    with writing(path) as con:
        (n_runs,) = con.execute("select count(*) from raw.run").fetchall()[0]
        con.execute(RUN.format(run=f"idle {n_runs}"))


def add_night(path: Path) -> None:
    """Write a language model whose answers are 1 % as many as the generations that are there."""
    from warehouse.store.connection import writing

    with writing(path) as con:
        tables = ("generation", "language_model", "problem")
        counts = [f"(select count(*) from raw.{table})" for table in tables]
        n, lm, most = con.execute(f"select {', '.join(counts)}").fetchall()[0]
        run, problems = f"night {lm}", min(most, max(1, n // 100 // SAMPLES))
        night = RUN.format(run=run) + NIGHT.format(lm=lm, problems=problems, run=run)
        con.execute(night + CELLS + DRAWN.format(samples=SAMPLES) + PAIRS)


def measure(path: Path) -> dict[str, Any]:
    """Build the views in this process and time them; returns seconds, MiB and row counts."""
    from tests.support.steps import build
    from warehouse.store.connection import reading

    began_cpu_s = cpu_s()
    with cpu_by_node() as costs:
        report = build(path)
    build_cpu_s = cpu_s() - began_cpu_s
    peak = peak_mib()
    queries = {}
    with reading(path) as con:
        n_rows = con.execute("select count(*) from raw.outcome").fetchall()[0][0]
        for mart in MARTS:
            began = time.monotonic()
            con.execute(f"select * from {mart}").fetchall()
            queries[mart] = round(time.monotonic() - began, 3)
    began = time.monotonic()
    again = build(path)
    again_s = time.monotonic() - began
    return {
        "outcomes": n_rows,
        "build_s": round(report.seconds, 1),
        "build_cpu_s": round(build_cpu_s, 1),
        "duckdb_cpu_s": round(sum(costs.values()), 1),
        "dearest_cpu_s": dearest(costs),
        "peak_rss_mib": round(peak),
        "query_s": queries,
        "tests": len(report.tests_passed),
        "again_s": round(again_s, 2),
        "again_fresh": again.fresh,
    }


def measure_nights(path: Path) -> dict[str, Any]:
    """Build what is new in this process and time it."""
    from tests.support.steps import build

    nights = {}
    for name, add in (("idle", add_run), ("night", add_night)):
        add(path)
        began_cpu_s = cpu_s()
        with cpu_by_node() as night_costs:
            nights[f"{name}_s"] = round(build(path).seconds, 1)
        nights[f"{name}_cpu_s"] = round(cpu_s() - began_cpu_s, 1)
    return {
        **nights,
        "night_dearest_cpu_s": dearest(night_costs),
        "warehouse_mib": mib_on_disk(path),
    }


def dearest(costs: dict[str, float]) -> dict[str, float]:
    """Return the nodes that took the most processor seconds, dearest first."""
    names = sorted(costs, key=lambda name: -costs[name])
    return {name: round(costs[name], 2) for name in names[:DEAREST]}


@contextmanager
def cpu_by_node() -> Iterator[dict[str, float]]:
    """Count the processor seconds of each node's statements, sent by dbt or sent again."""
    from dbt.adapters.duckdb.environments.local import DuckDBCursorWrapper
    from dbt_common.events.contextvars import get_node_info

    found: defaultdict[str, float] = defaultdict(float)

    def timed(send: Callable[..., Any], node_of: Callable[..., str]) -> Callable[..., Any]:
        def sent(*given: Any) -> Any:
            began_s = cpu_s()
            try:
                return send(*given)
            finally:
                found[node_of(*given)] += cpu_s() - began_s

        return sent

    by_dbt = timed(
        DuckDBCursorWrapper.execute, lambda *_: str(get_node_info().get("unique_id", ""))
    )
    again = timed(sending.send_one, lambda _, statement: statement.node)
    with (
        mock.patch.object(DuckDBCursorWrapper, "execute", by_dbt),
        mock.patch.object(sending, "send_one", again),
    ):
        yield found


def main() -> None:
    """Parse, plant, measure in a separate process (for an honest peak), print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--keep", type=Path, help="folder for the warehouse, kept afterwards")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--nights", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure or asked.nights:
        found = measure(asked.measure) if asked.measure else measure_nights(asked.nights)
        print(json.dumps(found))
        return
    with planted_warehouse(asked.keep, lambda path: plant(path, asked.rows)) as path:
        found = in_a_process("views", "--measure", path)
        print(json.dumps(found | in_a_process("views", "--nights", path), indent=2))


if __name__ == "__main__":
    main()
