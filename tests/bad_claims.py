"""Files of results made elsewhere that do not fit, and the commands that read them."""

import json

Lines = list[str]


def _line(**values: object) -> str:
    return json.dumps({"task_id": "starter/apple_grades"} | values) + "\n"


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
    )
] + ["assay claims claim.jsonl --format generic --dataset starter"]
