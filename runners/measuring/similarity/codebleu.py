"""CodeBLEU of Python by its four components (Ren et al. 2020, arXiv 2009.10297, section 3).

The paper leaves tokens, smoothing and the kinds of variables open. Version 1 follows the library
``codebleu`` 0.7.0, which Allamanis et al. (arXiv 2402.08699) use, also where it departs from the
paper:

- n-grams are of tokens between white space, and an order without a match counts 0.1 matches;
- weighted n-grams and subtrees are counted in the reference (recall), not in the candidate;
- every occurrence of a reference's subtree matches if the candidate has it once.

Where the library depends on chance or fails, version 1 is defined. Names that flow into a value
come in the order of the text (there: of a random hash). Nested loops take linear time (there: each
doubles it). Text that is not ASCII is read right. Comments and strings that are whole statements
are left out of the tree (there: out of the text, where it can be split into tokens).

No component is combined here: the library counts a data-flow match of 0 as 1, so what the sum is
depends on the version of the view. Pass dedented code: surrounding white space is stripped.
"""

from models.words import TEXT_MEASURES
from runners.measuring.similarity.data_flow import data_flow_match
from runners.measuring.similarity.ngrams import ngram_match, weighted_ngram_match
from runners.measuring.similarity.syntax import parse_python, syntax_match

COMPONENTS = TEXT_MEASURES["codebleu_v1"]


def codebleu_v1(candidate: str, reference: str) -> dict[str, float | None]:
    """Return the four components, each a fraction, under the names of ``COMPONENTS``.

    ``dataflow_match`` is None where the reference has no data flow. Code that does not parse has
    the tree that tree-sitter recovers.
    """
    candidate, reference = candidate.strip(), reference.strip()
    if not reference:
        return dict.fromkeys(COMPONENTS)
    words, wanted = candidate.split(), reference.split()
    tree, wanted_tree = parse_python(candidate), parse_python(reference)
    found = (
        ngram_match(words, wanted),
        weighted_ngram_match(words, wanted),
        syntax_match(tree, wanted_tree),
        data_flow_match(tree, wanted_tree),
    )
    return dict(zip(COMPONENTS, found, strict=True))
