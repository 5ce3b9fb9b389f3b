"""Compare every pair of 100 samples of 164 problems, and a plain loop over some of them.

    python -m tests.bench.similarity [--keep FOLDER]

The samples are CodeGen-16B's, of 110 problems of HumanEval; 54 problems have those of the first
ones once more. A comment makes each text its own program: 811,800 pairs, none of which is shared.
"""

import argparse
import json
import os
import time
from collections import Counter
from functools import partial
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

from tests.bench.frame import cpu_s, in_a_process, peak_mib, plant_rows, planted_warehouse
from tests.data import CODET, json_rows, tasks_by_prompt

N_PROBLEMS, N_SAMPLES = 164, 100
PLAIN_PROBLEMS = 4
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


def plain() -> dict[str, float]:
    """Time the rule of shared tokens as one would write it first; returns microseconds a pair.

    Once with the tokens of both programs taken for each pair, once with tokens taken beforehand.
    """
    from runners.measuring.pairs import TOKENIZERS

    tokenise = TOKENIZERS.load("tokens_v2")
    pairs = [pair for programs in texts()[:PLAIN_PROBLEMS] for pair in combinations(programs, 2)]
    some = pairs[:: len(pairs) // 1_000]
    began = time.process_time()
    for one, other in some:
        (Counter(tokenise(one)) & Counter(tokenise(other))).total()
    each_time = (time.process_time() - began) / len(some)
    counts = {text: Counter(tokenise(text)) for pair in pairs for text in pair}
    began = time.process_time()
    for one, other in pairs:
        (counts[one] & counts[other]).total()
    beforehand = (time.process_time() - began) / len(pairs)
    return {"plain_us": 1e6 * each_time, "plain_us_tokens_known": 1e6 * beforehand}


def main() -> None:
    """Plant, measure each part in a process of its own, print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="folder for the warehouse, kept afterwards")
    parser.add_argument("--measure", choices=[*WHAT, "plain"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(plain() if asked.measure == "plain" else measure(asked.measure)))
        return
    part = partial(in_a_process, "similarity", "--measure")
    with planted_warehouse(asked.keep, plant):
        found = {what: part(what) for what in WHAT}
        loop = part("plain")
    n_pairs = sum(found["tokens"]["pairs"].values())
    ours = 1e6 * found["tokens"]["cpu_s"] / n_pairs
    found["tokens"] |= {f"times_{name}": round(value / ours, 1) for name, value in loop.items()}
    print(json.dumps(found | loop | {"cores": os.cpu_count()}, indent=2))


if __name__ == "__main__":
    main()
