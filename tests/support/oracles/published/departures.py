"""In what the rows of a language model differ from those of the calibration paper, from raw rows.

One code per condition, in the order of the paper's section on settings; every answer is looked at.
"""

from collections import Counter
from typing import Any

Row = dict[str, Any]
OF_TEXT = ("avg_prob", "total_prob", "length")
OF_ANSWER = ("ask_tf", "ask_tf_normalized")
READ_ALIKE = ("gpt-3.5-turbo-instruct",)


def departures(lm: str, measure: str, raw: dict[str, list[Row]]) -> str | None:
    """Return the codes of one language model with one setting, joined by a comma, or None."""
    answers = [
        row
        for row in raw["generation"]
        if row["lm_id"] == lm and row["parent_generation_id"] is None
    ]
    (setting,) = {row["setting_id"] for row in answers}
    asked = next(row for row in raw["setting"] if row["setting_id"] == setting)
    names = {row["generation_id"] for row in answers}
    texts = [row for row in raw["generation_text"] if row["generation_id"] in names]
    tokens = [row for row in raw["token_logprob"] if row["generation_id"] in names]
    is_function, is_chat = asked["task"] == "synthesis", asked["style"] == "solution"
    found = {
        "temperature": asked["temperature"] != 0,
        "samples": max(Counter(row["problem_id"] for row in answers).values()) > 1,
        "kept_rule": is_function and any(r["kept_rule"] != "function_end_v1" for r in texts),
        "chat": is_chat,
        "top_5": measure in OF_ANSWER and lm.lower() not in READ_ALIKE,
    }
    if measure in OF_TEXT and is_chat and is_function:
        kept = [row["kept_text"] for row in texts]
        read = [
            "".join(t for t, is_kept in zip(row["tokens"], row["kept"], strict=True) if is_kept)
            for row in tokens
        ]
        found["fence"] = any(_has_fence(text) for text in (*kept, *read))
        found["copied_prompt"] = any("def f(" in text for text in kept)
    return ", ".join(code for code, applies in found.items() if applies) or None


def _has_fence(text: str) -> bool:
    return any(line.lstrip(" \t").startswith(("```", "~~~")) for line in text.split("\n"))
