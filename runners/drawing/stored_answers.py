"""Apply another keeping rule to stored answers; no request is sent.

The stored text is always the whole answer. So a generation under another keeping rule is made from
the stored one, in a setting that differs in its label alone. Its cost is not counted again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ingest import keys
from ingest.tokens import from_top_columns
from runners.drawing.backends.base import Backend, Completion, Request
from warehouse.facts.generations import generation_ids, stored_answers
from warehouse.store.connection import reading

CHUNK = 2_000


class StoredBackend(Backend):
    """Answers requests from stored generations; ``stored`` are their keys by the requests'."""

    def __init__(self, source: Backend, stored: Mapping[str, str]):
        self.style = source.style
        self.simulated = source.simulated
        self.truth = source.truth
        self.revision = source.revision
        self.stored = stored
        self.faults: Counter[str] = Counter()

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
        known = {key: set(generation_ids(con, lm_id, key)) for key in sorted(set(setting_ids))}
    known = {setting_id: present for setting_id, present in known.items() if present}
    if not known:
        return {}
    found = {}
    for request in requests:
        for setting_id, present in known.items():
            key = keys.generation_id(
                lm_id,
                request.variant_id,
                setting_id,
                request.sample_index,
                request.parent_generation_id,
            )
            if key in present:
                found[request.generation_id] = key
                break
    return found


def _stored(ids: list[str]) -> dict[str, dict[str, Any]]:
    with reading() as con:
        answers = [dict(vars(answer)) for answer in stored_answers(con, ids)]
    for answer in answers:
        columns = answer.pop("top_tokens"), answer["top_logprobs"]
        answer["top_logprobs"] = from_top_columns(*columns)
    return {answer.pop("generation_id"): answer for answer in answers}
