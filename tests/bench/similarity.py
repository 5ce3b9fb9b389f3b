"""Compare every pair of 100 samples of 164 problems, and a plain loop over some of them.

    python -m tests.bench.similarity [--keep FOLDER]

Of 110 problems the samples are CodeGen-16B's own; the other 54 repeat those of the first 54. A
comment makes each text unique: 811,800 pairs within problems, and 163 between them.
"""

import argparse
import json
import os
import time
from collections import Counter
from functools import partial
from itertools import chain, combinations, groupby
from pathlib import Path
from typing import Any

from tests.bench.frame import cpu_s, in_a_process, peak_mib, plant_rows, planted_warehouse
from tests.data import CODET, json_rows, tasks_by_prompt

N_PROBLEMS, N_SAMPLES = 164, 100
RULE_PROBLEMS = 8
WHAT = {
    "tokens": {"measures": ("scc_v1", "tokens_v2"), "pair_measures": ()},
    "tfidf_v1 and tree_edit_v1": {"measures": (), "pair_measures": ("tfidf_v1", "tree_edit_v1")},
    "structure_v1": {"measures": (), "pair_measures": ("structure_v1",)},
}

ANSWERS = """
create temp table sample as select * from read_json_auto('{file}');

insert into raw.setting by name
select
    md5('setting') as setting_id, 'synthesis' as task, 'completion' as style,
    'original' as prompt_kind, 0.8 as temperature, 0.95 as top_p, 512 as max_tokens,
    '[]' as stop, null as seed, false as resampled, '' as label, md5('run') as run_id;

insert into raw.generation by name
select
    'g' || number || '.' || place as generation_id, md5('lm0') as lm_id,
    md5('problem' || number) as problem_id, md5('variant' || number) as variant_id,
    md5('setting') as setting_id, place as sample_index, null as parent_generation_id,
    'planted' as source, 'g' || number || '.' || place as text_key, 'stop' as finish_reason,
    100 as n_prompt_tokens, 50 as n_completion_tokens, 1.0 as latency_s, null as cost_usd,
    null as claimed_pass, md5('run') as run_id,
from sample;

insert into raw.candidate by name
select
    'c' || number || '.' || place as candidate_id, source, true as parses,
    length(source) as n_characters, md5('run') as run_id,
from sample;

insert into raw.evaluation by name
select
    'e' || number || '.' || place as evaluation_id,
    'g' || number || '.' || place as generation_id, md5('problem' || number) as problem_id,
    'c' || number || '.' || place as candidate_id,
    'q' || number || '.' || place as program_id, md5('run') as run_id,
from sample;
"""


def texts() -> list[list[str]]:
    """Return the programs of each problem, real ones, each its own text."""
    tasks = tasks_by_prompt()
    rows = sorted(json_rows(CODET), key=lambda row: int(tasks[row["prompt"]].split("/")[1]))
    real = [
        [row["prompt"] + sample for row in here for sample in row["samples"][:N_SAMPLES]]
        for _, here in groupby(rows, key=lambda row: row["prompt"])
    ]
    return [
        [f"{text}\n# {number} {place}\n" for place, text in enumerate(real[number % len(real)])]
        for number in range(N_PROBLEMS)
    ]


def plant(path: Path) -> None:
    """Write problems and their samples into a new warehouse."""
    file = path.parent / "samples.jsonl"
    with file.open("w", encoding="utf-8") as lines:
        for number, programs in enumerate(texts()):
            for place, source in enumerate(programs):
                lines.write(json.dumps({"number": number, "place": place, "source": source}) + "\n")
    plant_rows(path, {"humaneval": N_PROBLEMS}, 1, ANSWERS.format(file=file))


def measure(what: str) -> dict[str, Any]:
    """Run ``assay similarity`` in this process; returns seconds, MiB and pairs."""
    from tests.support.steps import similarity_pairs

    began, spent = time.monotonic(), cpu_s()
    report = similarity_pairs(progress=False, text_measures=(), **WHAT[what])
    return {
        "pairs": report.pairs,
        "wall_s": round(time.monotonic() - began, 1),
        "cpu_s": round(cpu_s() - spent, 1),
        "peak_rss_mib": round(peak_mib()),
        "unscored": report.unscored,
    }


def rule() -> dict[str, float]:
    """Time the rule of shared tokens alone, and as one would write it first; microseconds a pair.

    The plain loop takes the tokens of both programs for each pair; once they are taken beforehand.
    """
    import pyarrow as pa

    from runners.measuring.pairs import TOKENIZERS
    from runners.measuring.pairs.tokens import tokens_compared

    tokenise = TOKENIZERS.load("tokens_v2")
    sources = dict(enumerate(chain.from_iterable(texts()[:RULE_PROBLEMS])))
    pairs = [
        (f"{first // N_SAMPLES}", f"{first}", f"{second}")
        for first, second in combinations(sources, 2)
        if first // N_SAMPLES == second // N_SAMPLES
    ]
    names = ("problem_id", "candidate_a", "candidate_b")
    columns = dict(zip(names, map(list, zip(*pairs, strict=True)), strict=True))
    pending = pa.table(columns | {"measure": ["tokens_v2"] * len(pairs)})
    began = time.process_time()
    table = tokens_compared(pending, {f"{place}": text for place, text in sources.items()}, "run")
    ours = (time.process_time() - began) / len(pairs)
    some = pairs[:: len(pairs) // 1_000]
    began = time.process_time()
    shared = [
        (Counter(tokenise(sources[int(a)])) & Counter(tokenise(sources[int(b)]))).total()
        for _, a, b in some
    ]
    plain = (time.process_time() - began) / len(some)
    found = list(chain.from_iterable(table["n_shared"].to_pylist()))
    assert shared == found[:: len(pairs) // 1_000]
    counts = {place: Counter(tokenise(text)) for place, text in sources.items()}
    began = time.process_time()
    for _, a, b in pairs:
        (counts[int(a)] & counts[int(b)]).total()
    beforehand = (time.process_time() - began) / len(pairs)
    return {
        "us": round(1e6 * ours, 2),
        "plain_us": round(1e6 * plain, 1),
        "plain_us_tokens_known": round(1e6 * beforehand, 1),
        "times": round(plain / ours, 1),
        "times_tokens_known": round(beforehand / ours, 1),
    }


def main() -> None:
    """Plant the rows, measure each part in a new process, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="folder for the warehouse, kept afterwards")
    parser.add_argument("--measure", choices=[*WHAT, "rule"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(rule() if asked.measure == "rule" else measure(asked.measure)))
        return
    part = partial(in_a_process, "similarity", "--measure")
    with planted_warehouse(asked.keep, plant):
        found = {what: part(what) for what in (*WHAT, "rule")}
    print(json.dumps(found | {"cores": os.cpu_count()}, indent=2))


if __name__ == "__main__":
    main()
