"""The rules of the schema ``facts``, as the migrations have them."""

import re
from dataclasses import dataclass
from functools import cache

from warehouse.store.migrations import scripts

RULE = re.compile(
    r"(?P<above>(?:^--[^\n]*\n)*)^create (?:or replace )?(?:view|macro) "
    r"(?P<name>facts\.\w+)(?P<rest>.*?);$",
    re.MULTILINE | re.DOTALL,
)
OF_MIGRATION = re.compile(r"-- \d+: .*")
"""A comment that says what a whole migration does."""

READ = re.compile(r"\b(?:from|join)\s+((?:raw|facts)\.\w+)")


@dataclass(frozen=True)
class RuleDoc:
    """One rule: what it says, its SQL, and the raw tables and rules that it reads."""

    name: str
    description: str
    sql: str
    reads: tuple[str, ...]


@cache
def describe_rules() -> tuple[RuleDoc, ...]:
    """Return every view and macro of ``facts`` by name, as the newest migration that makes it."""
    found: dict[str, RuleDoc] = {}
    for script in scripts().values():
        for rule in RULE.finditer(script):
            lines = [line for line in rule["above"].splitlines() if not OF_MIGRATION.match(line)]
            description = " ".join(line.removeprefix("--").strip() for line in lines)
            sql = rule[0].removeprefix(rule["above"])
            reads = tuple(sorted(set(READ.findall(sql))))
            found[rule["name"]] = RuleDoc(rule["name"], description, sql, reads)
    return tuple(found[name] for name in sorted(found))
