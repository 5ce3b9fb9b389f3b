"""Files of results made elsewhere that do not fit, and the commands that read them."""

import json

from ingest.claims.packed import archive_of

Lines = list[str]


def _line(**values: object) -> str:
    return json.dumps({"task_id": "starter/apple_grades"} | values) + "\n"


def _log(*names: str) -> bytes:
    header = {"version": 2, "eval": {"model": "m", "task": "starter"}}
    return archive_of({"header.json": header, **{name: {} for name in names}})


def _bomb() -> bytes:
    """Return a log that says it unpacks to 4 GB."""
    log = bytearray(_log())
    size = log.index(b"PK\x01\x02") + 24  # in the archive's list of members
    log[size : size + 4] = (4_000_000_000).to_bytes(4, "little")
    return bytes(log)


CLAIM = _line(sample_index=0, passed=True)

FILES: dict[str, str | bytes] = {
    "claim.jsonl": CLAIM,
    "claim_unknown.jsonl": _line(task_id="starter/999", passed=True),
    "claim_field.jsonl": _line(pased=True),
    "claim_empty.jsonl": _line(),
    "claim_sure.jsonl": _line(confidence=1.2),
    "claim_nan.jsonl": _line(confidence=float("nan")),
    "claim_contradicts.jsonl": CLAIM + CLAIM.replace("true", "false"),
    "evalplus_status.json": json.dumps({"eval": {"starter/ski_runs": [{"base_status": "yes"}]}}),
    "leaves.eval": _log("../samples/1.json"),
    "no_sample.eval": _log(),
    "cut.eval": _log("samples/1.json")[:100],
    "bomb.eval": _bomb(),
    "grades.json": json.dumps([{"question_id": "1", "graded_list": ["yes"]}]),
    "metric.jsonl": json.dumps({"doc_id": 1, "metrics": ["acc"]}) + "\n",
    "models.jsonl": "".join(json.dumps({"model_id": name}) + "\n" for name in "mn"),
    "statuses.json": json.dumps({"eval": {"starter/ski_runs": [{"status": "yes"}]}}),
    "probability.json": json.dumps(
        [
            {
                "instance_id": "starter/ski_runs",
                "stats": [{"name": {"name": "max_prob"}, "mean": 1.2}],
            }
        ]
    ),
    "evalplus_old.json": json.dumps({"eval": {"starter/ski_runs": {"base": [["success", []]]}}}),
}

CLAIMS: Lines = [
    f"assay claims {line} --lm m"
    for line in (
        "none.jsonl --format generic --dataset starter",
        "claim.jsonl --format nope --dataset starter",
        "claim.jsonl --format generic",
        "claim.jsonl --format generic --dataset nope",
        "claim.jsonl --format generic --dataset starter --not-here",
        "claim.jsonl --format generic --dataset starter --not-here --skip-unknown",
        "claim_unknown.jsonl --format generic --dataset starter",
        "claim_field.jsonl --format generic --dataset starter",
        "claim_empty.jsonl --format generic --dataset starter",
        "claim_sure.jsonl --format generic --dataset starter",
        "claim_nan.jsonl --format generic --dataset starter",
        "claim_contradicts.jsonl --format generic --dataset starter",
        "object.json --format evalplus --dataset starter",
        "evalplus_status.json --format evalplus --dataset starter",
        "evalplus_old.json --format evalplus --dataset starter",
        "leaves.eval --format inspect",
        "bomb.eval --format inspect",
        "cut.eval --format inspect",
        "no_sample.eval --format inspect",
        "object.json --format inspect",
        "object.json --format livecodebench",
        "grades.json --format livecodebench",
        "metric.jsonl --format lm_eval",
        "object.json --format eee",
        "models.jsonl --format eee",
        "folder --format helm",
        "probability.json --format helm --dataset starter",
        "statuses.json --format bigcode --dataset starter",
        "object.json --format swe_bench",
    )
] + [
    "assay claims claim.jsonl --format generic --dataset starter",
    "assay claims nowhere.jsonl --format generic",
    "assay compare somebody nobody --claimed",
    "assay results --format helm --dataset starter --lm coin --out new",
    "assay results --format eee --lm coin --out new",
    "assay results --format eee --dataset starter --lm coin --out new",
    "assay results --format eee --dataset starter --lm coin --out file.txt",
    "assay results --format eee --claimed --lm coin --out new",
]
