"""A planted judge of pairs: its level follows a stated rule, so that every rating can be checked.

With r the tokens that both programs share over the larger number of tokens, and with
m = |judge_bias| / 2 + judge_noise, the judge aims at::

    x = 1 + m + (4 - 2 m) r  + judge_bias / 2 where the longer program is shown first
                             - judge_bias / 2 where the shorter one is
                             + judge_noise * u, with u uniform in [-1, 1) for each vote

x lies in [1, 5]. It is rounded up with a chance equal to its fraction, down otherwise. So the mean
level is x, and the longer program first adds judge_bias on average. Lengths are in characters.
judge_prose is the share of replies that give no level.
"""

import re
from collections import Counter
from collections.abc import Callable
from math import floor

from runners.drawing.backends.planted_texts import TOKEN
from runners.drawing.backends.planted_truth import Truth

SHOWN = re.compile(r"<first>\n(.*)\n</first>\n\n<second>\n(.*)\n</second>\n", re.DOTALL)
LAST_LINE = "\nSimilarity: N\n"
PROSE = (" They look much alike.", " On a scale of 1 to 5: 4.", "", " I would say 7.")
PROSE_IN_FORM = (
    "They share a loop.\nSimilarity: high",
    "Similarity: 4, I think",
    "",
    "Similarity: 9",
)


def level_reply(prompt: str, vote: int, truth: Truth, uniform: Callable[..., float]) -> str:
    """Return the reply to a request that shows two programs; ``uniform`` draws from its parts."""
    found = SHOWN.search(prompt)
    first, second = (found[1], found[2]) if found else ("", "")
    in_form = LAST_LINE in prompt + "\n"
    about = (first, second, vote, in_form)
    if uniform(*about, "prose") < truth.judge_prose:
        forms = PROSE_IN_FORM if in_form else PROSE
        return forms[int(uniform(*about, "form") * len(forms))]
    aim = aimed(first, second, truth) + truth.judge_noise * (2 * uniform(*about, "noise") - 1)
    level = floor(aim + uniform(*about, "rounding"))
    return f"They share some lines.\nSimilarity: {level}\n" if in_form else f" {level}"


def aimed(first: str, second: str, truth: Truth) -> float:
    """Return the level that the judge aims at before the noise of a vote."""
    margin = abs(truth.judge_bias) / 2 + truth.judge_noise
    longer_first = (len(first) > len(second)) - (len(first) < len(second))
    return (
        1 + margin + (4 - 2 * margin) * overlap(first, second) + truth.judge_bias / 2 * longer_first
    )


def overlap(first: str, second: str) -> float:
    """Return the shared tokens over the larger number of tokens; 1 where both have none."""
    one, other = Counter(TOKEN.findall(first)), Counter(TOKEN.findall(second))
    most = max(one.total(), other.total())
    return (one & other).total() / most if most else 1.0
