"""Apply another truncation rule to stored answers; no request is sent.

The stored text is always the whole answer, so a generation under another truncation rule is a
generation of a setting that differs in its label alone, made from the stored one. Its cost is not
counted again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ingest import keys
from models.base import Row
from runners.drawing.backends.base import Backend, Completion, Request
from warehouse.store.connection import reading

CHUNK = 2_000


class StoredBackend:
    """Answers requests from stored generations; ``stored`` are their keys by the requests'."""

    endpoint_id = None

    def __init__(self, source: Backend, stored: Mapping[str, str]):
        self.style = source.style
        self.simulated = source.simulated
        self.truth = source.truth
        self.revision = source.revision
        self.stored = stored
        self.faults: Counter[str] = Counter()

    def rows(self, run_id: str) -> Sequence[Row]:
        """The endpoint is that of the stored generation."""
        return []

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answer each request with the stored text and tokens."""
        left = iter(requests)
        while chunk := list(islice(left, CHUNK)):
            found = _stored([self.stored[request.generation_id] for request in chunk])
            for request in chunk:
                yield Completion(request=request, **found[self.stored[request.generation_id]])


def stored_keys(
    requests: Iterable[Request], lm_id: str, setting_ids: Sequence[str]
) -> dict[str, str]:
    """Return the keys of the same samples under one of these settings, by the requests' keys."""
    with reading() as con:
        there = con.execute(
            """
            select setting_id, generation_id from raw.generation
            where lm_id = ? and setting_id in (select unnest(?::varchar[]))
            """,
            [lm_id, list(setting_ids)],
        ).fetchall()
    if not there:
        return {}
    settings = sorted({setting_id for setting_id, _ in there})
    present = {generation_id for _, generation_id in there}
    found = {}
    for request in requests:
        for setting_id in settings:
            key = keys.generation_id(lm_id, request.variant_id, setting_id, request.sample_index)
            if key in present:
                found[request.generation_id] = key
                break
    return found


def _stored(ids: list[str]) -> dict[str, dict[str, Any]]:
    with reading() as con:
        rows = con.execute(
            """
            select
                generation.generation_id,
                generation_text.raw_text as text,
                generation.finish_reason,
                generation.n_prompt_tokens,
                generation.n_completion_tokens,
                generation.latency_s,
                token_logprob.tokens,
                token_logprob.logprobs,
                token_logprob.top_logprobs,
                token_logprob.cumulative_logprob
            from raw.generation as generation
            inner join raw.generation_text as generation_text using (generation_id)
            left join raw.token_logprob as token_logprob using (generation_id)
            where generation.generation_id in (select unnest(?::varchar[]))
            """,
            [ids],
        )
        names = [column[0] for column in rows.description]
        return {row[0]: dict(zip(names[1:], row[1:], strict=True)) for row in rows.fetchall()}
