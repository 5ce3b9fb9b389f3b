"""Chains: requests about a sample that show what was answered to earlier requests about it.

Each sample of a problem has a separate chain: request k speaks of the answer to request k - 1,
which is its parent, and all have the sample's index. A chain ends at an answer without text.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from warehouse.facts.generations import ChainAnswer


@dataclass(frozen=True)
class Chain:
    """What was answered so far about one sample: texts by the template that asked for them.

    ``generation_id`` is the last answer.
    """

    sample_index: int
    generation_id: str
    texts: Mapping[str, str]


Chains = Mapping[str, Sequence[Chain]]
"""Chains by problem_id, in the order of their samples."""


def continued(chains: Chains | None, template: str, answers: Iterable[ChainAnswer]) -> Chains:
    """Return the chains that go on after the answers to a template; without ``chains``, all begin.

    Answers that hold no text, and those that speak of no chain, are left out.
    """
    before = {chain.generation_id: chain.texts for of in (chains or {}).values() for chain in of}
    found: dict[str, list[Chain]] = {}
    for answer in answers:
        text = answer.kept_text.strip()
        parent = answer.parent_generation_id
        if not text or (chains is None) != (parent is None) or (parent and parent not in before):
            continue
        texts = {**(before[parent] if parent else {}), template: text}
        chain = Chain(answer.sample_index, answer.generation_id, texts)
        found.setdefault(answer.problem_id, []).append(chain)
    return found


def n_samples(chains: Chains) -> int:
    """Return the number of chains."""
    return sum(map(len, chains.values()))
