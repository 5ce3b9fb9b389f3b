"""Chains: requests about a sample that show what was answered to earlier requests about it.

Each sample of a problem has a separate chain. Request k speaks of the answer to request k - 1,
which is its parent, and all have the sample's index. A chain ends at an answer without text. An
answer of another form than is needed may have a repair: a child that takes its place.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    """Return the chains that continue after a template; without ``chains``, all begin.

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


def parted(
    chains: Chains, template: str, fault_of: Callable[[str, Mapping[str, str]], str | None]
) -> tuple[Chains, Chains]:
    """Return the chains whose answer to a template has the form that is needed, and the others."""
    right: dict[str, list[Chain]] = {}
    wrong: dict[str, list[Chain]] = {}
    for problem_id, of in chains.items():
        for chain in of:
            fault = fault_of(chain.texts[template], chain.texts)
            (right if fault is None else wrong).setdefault(problem_id, []).append(chain)
    return right, wrong


def joined(some: Chains, others: Chains) -> Chains:
    """Return the chains of both, in the order of their samples."""
    return {
        problem_id: sorted(
            (*some.get(problem_id, ()), *others.get(problem_id, ())),
            key=lambda chain: chain.sample_index,
        )
        for problem_id in {**some, **others}
    }


def n_samples(chains: Chains) -> int:
    """Return the number of chains."""
    return sum(map(len, chains.values()))
