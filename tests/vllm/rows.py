"""What the tests here read back from the warehouse."""

from dataclasses import dataclass
from typing import Any

from ingest.tokens import from_top_columns
from warehouse.store.connection import reading


@dataclass(frozen=True)
class Drawn:
    """One generation with its tokens, as it lies in the warehouse."""

    text: str
    finish_reason: str
    n_completion_tokens: int
    tokens: list[str]
    logprobs: list[float]
    kept: list[bool]
    top: list[list[tuple[str, float]]] | None
    cumulative_logprob: float | None
    n_prompt_tokens: int


def drawn(lm: str, **where: Any) -> dict[tuple[str, int], Drawn]:
    """Return a language model's own answers by task and sample index."""
    tests = "".join(f" and setting.{name} is not distinct from ${name}" for name in where)
    rows = query(
        f"""
        select
            problem.task_id, generation.sample_index, raw_text, finish_reason,
            n_completion_tokens, tokens, logprobs, kept, top_tokens, top_logprobs,
            cumulative_logprob, n_prompt_tokens
        from raw.generation as generation
        inner join raw.language_model as lm using (lm_id)
        inner join raw.setting as setting using (setting_id)
        inner join raw.problem as problem using (problem_id)
        inner join raw.generation_text using (generation_id)
        inner join raw.token_logprob using (generation_id)
        where lm = $lm and parent_generation_id is null {tests}
        """,
        lm=lm,
        **where,
    )
    return {
        (task, index): Drawn(
            *rest[:6],
            top=from_top_columns(rest[6], rest[7]),
            cumulative_logprob=rest[8],
            n_prompt_tokens=rest[9],
        )
        for task, index, *rest in rows
    }


def query(sql: str, **values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of one query."""
    with reading() as con:
        return con.execute(sql, values).fetchall()


def issues(lm: str) -> dict[str, int]:
    """Return the number of issues of a language model by code."""
    return dict(
        query(
            """
            select code, count(*)
            from raw.generation_issue inner join raw.language_model as lm using (lm_id)
            where lm = $lm
            group by code
            """,
            lm=lm,
        )
    )
