"""Pairs of programs as a warehouse stores them: those of a problem together."""

from typing import Any

ENDS = ("candidate_a", "candidate_b")
PAIRS = {
    "pair_similarity": (*ENDS, "measure", "n_shared", "n_tokens_a", "n_tokens_b"),
    "pair_score": (*ENDS, "scorer_id", "value", "null_reason"),
}
"""Columns of a pair in a world, where each is a row of a separate kind."""


def pair_blocks(raw: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Return pairs, one row each here, as the blocks in which they are stored."""
    stored: dict[str, list[dict[str, Any]]] = {}
    for pairs, blocks, by, lists in (
        ("pair_similarity", "pair_count_block", "measure", {"n_shared": "n_shared"}),
        (
            "pair_score",
            "pair_score_block",
            "scorer_id",
            {"scores": "value", "null_reasons": "null_reason"},
        ),
    ):
        groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for row in raw.get(pairs, []):
            groups.setdefault((row[by], row["candidate_a"][-1]), []).append(row)
        for (name, part), rows in groups.items():
            ends = [
                (row[f"candidate_{end}"], row.get(f"n_tokens_{end}"))
                for row in rows
                for end in "ab"
            ]
            names = sorted(dict(ends))
            block = {"block_id": f"{name}.{part}", by: name, "candidates": names, "run_id": "r0"}
            block |= {to: [row[of] for row in rows] for to, of in lists.items()}
            for column, end in (("firsts", "a"), ("seconds", "b")):
                block[column] = [names.index(row[f"candidate_{end}"]) + 1 for row in rows]
            if pairs == "pair_similarity":
                block["n_tokens"] = [dict(ends)[name] for name in names]
            stored.setdefault(blocks, []).append(block)
    return stored
