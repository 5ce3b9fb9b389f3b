"""The forms of a plan's replies: a numbered list of solutions, and the choice of one of them.

A list has one to three solutions. Each begins a line, without indentation: `1. Name: idea`, or
`Solution 1: Name`, where Markdown marks of headings and bold are ignored. Where any line begins
with the word, only such lines count, so that the steps of a solution may be numbered too. The
numbers are 1, 2, 3 in this order, and no two solutions have the same name.

A choice says in its first line which solution it takes: by number (`2`, `2. Name`, `Solution 2`)
or by name. The line must lead to exactly one solution of the list.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

MOST_SOLUTIONS = 3

ITEM = re.compile(
    r"(?:#{1,6}[ \t]+)?[*_]*(?P<word>solution[ \t]+)?(?P<number>\d{1,4})[.):](?!\d)", re.IGNORECASE
)
TITLE_END = re.compile(r":|\s[-–—]\s|\.(?:\s|$)")
NAMED = re.compile(r"\bsolution[ \t]+#?(\d{1,4})\b", re.IGNORECASE)
ALONE = re.compile(r"[\W_]*(\d{1,4})[\W_]*")
MARKS = "*_`#\"' \t.:"


class BadForm(ValueError):
    """A reply in another form; the message says what is wrong."""


@dataclass(frozen=True)
class ListedSolution:
    """A possible solution: its number and its name, in lower case and without marks."""

    number: int
    name: str


def listed_solutions(reply: str) -> list[ListedSolution]:
    """Return the solutions of a list; raises BadForm."""
    lines = reply.splitlines()
    items = [(found, line[found.end() :]) for line in lines if (found := ITEM.match(line))]
    items = [item for item in items if item[0]["word"]] or items
    if not items:
        raise BadForm("no line begins with the number of a solution")
    numbers = [int(found["number"]) for found, _ in items]
    if numbers != [*range(1, len(numbers) + 1)]:
        raise BadForm(f"solutions are numbered {', '.join(map(str, numbers))}"[:200])
    if len(numbers) > MOST_SOLUTIONS:
        raise BadForm(f"{len(numbers)} solutions, at most {MOST_SOLUTIONS} are asked for")
    names = [_name(title) for _, title in items]
    if not all(names):
        raise BadForm(f"solution {names.index('') + 1} has no name")
    if len({*names}) < len(names):
        raise BadForm("two solutions have the same name")
    return [ListedSolution(*each) for each in zip(numbers, names, strict=True)]


def chosen_solution(reply: str, listed: list[ListedSolution]) -> ListedSolution:
    """Return which solution a choice takes; raises BadForm."""
    first = next((line for line in reply.splitlines() if line.strip()), "")
    numbers = {int(number) for number in NAMED.findall(first)}
    if found := ITEM.match(first) or ALONE.fullmatch(first):
        numbers.add(int(found["number"] if found.re is ITEM else found[1]))
    text = " ".join(first.lower().split())
    names = [each.name for each in listed if _holds(text, each.name)]
    names = [name for name in names if not any(name != other and name in other for other in names)]
    numbers |= {each.number for each in listed if each.name in names}
    if len(numbers) != 1:
        found_text = "several solutions" if numbers else "no solution"
        raise BadForm(f"the first line of the choice names {found_text}")
    number = numbers.pop()
    if not 1 <= number <= len(listed):
        raise BadForm(f"the choice names solution {number} of {len(listed)}")
    return listed[number - 1]


def fault_of_solutions(reply: str, earlier: Mapping[str, str]) -> str | None:
    """Return what is wrong with the form of a list, or None."""
    try:
        listed_solutions(reply)
    except BadForm as error:
        return str(error)
    return None


def fault_of_choice(reply: str, earlier: Mapping[str, str]) -> str | None:
    """Return what is wrong with the form of a choice, or None; ``earlier`` has the list."""
    try:
        chosen_solution(reply, listed_solutions(earlier["plan_solutions_v1"]))
    except BadForm as error:
        return str(error)
    return None


def _name(title: str) -> str:
    """Return the name that opens the text behind a number."""
    text = title.strip(MARKS)
    return " ".join(TITLE_END.split(text)[0].strip(MARKS).lower().split())


def _holds(text: str, name: str) -> bool:
    """Return whether a line holds a name as whole words."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
