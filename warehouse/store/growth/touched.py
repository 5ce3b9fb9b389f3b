"""What raw rows that came since the last build touch, and a mirror with these rows alone.

The mirror is a second catalogue on the same connection, `touched`. It has the relations of the
warehouse under the same names, with the rows of touched units alone. So the query of a relation,
read in the mirror, gives the rows of the touched units.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources

import duckdb

MIRROR = "touched"

BY_GENERATION = frozenset(
    [
        *("generation_text", "generation_request", "token_logprob", "reflection_reading"),
        *("evaluation", "text_similarity"),
    ]
)
BY_PROGRAM = frozenset(["program", "outcome", "test_outcome", "limit_trial"])
BY_BLOCK = frozenset(["pair_count_block", "pair_score_block"])
NAMED = BY_GENERATION | BY_PROGRAM | BY_BLOCK | {"generation", "canary"}
"""Raw tables of which new_rows.sql says what new rows touch."""

PARENTS = frozenset(["run", "language_model", "setting", "candidate"])
"""Raw tables that those name. The last build found no orphan: new ones have new children only."""

COVERED = NAMED | PARENTS

NAMED_CANDIDATES = f"""
    select candidate_id from {MIRROR}.raw.program
    union select unnest(candidates) from {MIRROR}.raw.pair_count_block
    union select unnest(candidates) from {MIRROR}.raw.pair_score_block
"""
"""A block names candidates of other language models too: without them they would be orphans."""

VIEWS = frozenset(["facts.program_judged", "facts.pair_counted", "facts.pair_scored"])
"""Views of migrations whose rows are of one program or pair each."""


class Doubt(Exception):
    """What is there is not what the last build left."""


@dataclass(frozen=True)
class Unit:
    """What rows of a relation are of: the columns that name it, and which are touched.

    `of_` and the name says whose rows they are; `dirty` are made again. The mirror has those
    whose columns `narrow` are in `kept`.
    """

    name: str
    columns: tuple[str, ...]
    dirty: str
    narrow: tuple[str, ...] = ()
    kept: str = ""

    @property
    def key(self) -> str:
        """The columns, as a list."""
        return ", ".join(self.columns)


ASKED_NO = Unit("asked_no", ("lm_no", "setting_no"), "touched_asked_no")

UNITS = {
    unit.name: unit
    for unit in (
        Unit("asked", ("lm_id", "setting_id"), "touched_asked"),
        Unit("entry", ("entry_no",), "touched_entry"),
        Unit("group", ("group_no",), "touched_group"),
        Unit("generation", ("generation_id",), "touched_generation"),
        Unit("program", ("program_id",), "touched_program"),
        Unit(
            "pair",
            ("candidate_no_a", "candidate_no_b"),
            "dirty_pair",
            narrow=("candidate_no_a",),
            kept="touched_first",
        ),
        Unit("compared", ("entry_no",), ""),
        Unit("compared_pair", ("entry_a", "entry_b"), "touched_compared_pair"),
        Unit("lm", ("lm_id",), ""),
        Unit("setting", ("setting_id",), ""),
    )
}
"""By name, as models say it (docs/decisions/0027)."""

COLUMNS = """
    select schema_name || '.' || table_name, list(column_name)
    from duckdb_columns() where database_name = current_database() and not internal group by 1
"""
FACTS = """
    select view_name, sql from duckdb_views()
    where database_name = current_database() and schema_name = 'facts'
"""


class Touched:
    """What came since raw tables had so many rows (``before``), on one connection."""

    def __init__(self, con: duckdb.DuckDBPyConnection, before: Mapping[str, int]) -> None:
        self.con = con
        self.grown = {name for name, had in before.items() if self._has_grown(name, had)}
        self.columns = {name: set(columns) for name, columns in con.execute(COLUMNS).fetchall()}
        self.facts: dict[str, str] = dict(con.execute(FACTS).fetchall())
        [(database,)] = con.execute("select current_database()").fetchall()
        self.database = str(database)
        for name, had in before.items():
            which = f"rowid >= {had}" if name in self.grown else "false"
            con.execute(f"create temp view new_{name} as from raw.{name} where {which}")
        self._run("new_rows")
        self._mirrored: set[str] = set()
        self._queries: dict[str, str] = {}
        con.execute(f"attach ':memory:' as {MIRROR}")
        schemas = {relation.partition(".")[0] for relation in self.columns}
        for schema in sorted(schemas - {"main"}):
            con.execute(f"create schema {MIRROR}.{schema}")
        self._run("touched_rows")

    def is_most(self) -> bool:
        """Return whether most generations are touched, or their parents: all is built as fast."""
        return 2 * self.count("touched_generation") > self.count("raw.generation")

    def count(self, rows: str) -> int:
        """Return the number of some rows."""
        [(found,)] = self.con.execute(f"select count(*) from {rows}").fetchall()
        return int(found)

    def roots(self, view: str) -> Iterator[str]:
        """Yield the raw tables that a view of ``facts`` reads."""
        for schema, name in re.findall(r"\b(raw|facts)\.\"?(\w+)", self.facts[view]):
            if schema == "raw":
                yield name
            elif name != view:
                yield from self.roots(name)

    def unit(self, name: str, relation: str) -> Unit:
        """Return the unit of that name, of a relation that has its columns."""
        unit = UNITS[name]
        if name == "asked" and not self.columns[relation].issuperset(unit.columns):
            unit = ASKED_NO
        if not self.columns[relation].issuperset(unit.columns):
            raise Doubt(f"{relation} has no column of {unit.key}")
        return unit

    def mirror_raw(self, name: str) -> None:
        """Put a raw table into the mirror."""
        narrow = ""
        if name == "generation":
            self._mirror("raw.generation", self._placed("generation", "temp.touched_generation"))
            return
        if name == "candidate":
            for named_by in ("program", *sorted(BY_BLOCK)):
                self.mirror_raw(named_by)
            narrow = f"({NAMED_CANDIDATES}) as named using (candidate_id)"
        for names, key in (
            (BY_GENERATION, "generation"),
            (BY_PROGRAM, "program"),
            (BY_BLOCK, "block"),
        ):
            if name in names:
                narrow = f"temp.touched_{key} using ({key}_id)"
        self._mirror_places(name, narrow)

    def mirror_facts(self, view: str) -> None:
        """Put a view of ``facts`` into the mirror, with all that it reads."""
        for schema, name in re.findall(r"\b(raw|facts)\.\"?(\w+)", self.facts[view]):
            if (schema, name) != ("facts", view):
                (self.mirror_raw if schema == "raw" else self.mirror_facts)(name)
        text = self.facts[view]
        self._mirror(f"facts.{view}", text[text.index(" AS ") + 4 :].rstrip("; \n"))

    def mirror_table(self, relation: str, unit: Unit | None) -> None:
        """Put a table into the mirror: the rows of touched units, or all where it has none."""
        narrow = ""
        if unit is not None and unit.dirty:
            columns = ", ".join(unit.narrow or unit.columns)
            narrow = f" semi join temp.{unit.kept or unit.dirty} using ({columns})"
        query = f'from "{self.database}".{relation}{narrow}'
        if unit is not None and unit.name == "program" and relation not in self._mirrored:
            query = f"from {self._found('rows_of_programs', query)}"  # four relations read it
        self._mirror(relation, query)

    def mirror_view(self, relation: str, query: str) -> None:
        """Put a view into the mirror: its query, over the relations of the mirror."""
        self._mirror(relation, self.in_mirror(query))

    def in_mirror(self, text: str) -> str:
        """Return SQL of dbt that reads the mirror in the stead of the warehouse."""
        return text.replace(f'"{self.database}"."', f'"{MIRROR}"."')

    def of_new_numbers(self, text: str) -> str:
        """Return SQL of dbt that reads only the candidates with the number of a new one."""
        name = f'"{self.database}"."staging"."stg_candidate"'
        return text.replace(name, "temp.candidate_of_new_number")

    def replace(self, relation: str, unit: Unit, query: str) -> None:
        """Take the dirty rows from a table, and put there what its query says of them now."""
        same = " and ".join(f"kept.{column} = dirty.{column}" for column in unit.columns)
        self.con.begin()
        self.con.execute(
            f"delete from {relation} as kept using (from {unit.dirty}) as dirty where {same}"
        )
        self.con.execute(
            f"insert into {relation} by name "
            f"from (\n{self.in_mirror(query)}\n) semi join {unit.dirty} using ({unit.key})"
        )
        self.con.commit()

    def remember(self, relation: str, unit: Unit | None) -> None:
        """Note what a table holds before it is made again, by unit."""
        self.con.execute(f"create or replace temp table was as {_digest(relation, unit)}")

    def differing(self, relation: str, unit: Unit | None) -> int:
        """Return in how many units a table differs from what was noted."""
        self.con.execute(f"create or replace temp table now_is as {_digest(relation, unit)}")
        key = unit.key if unit is not None else "n, total"
        self.con.execute(
            f"create or replace temp table changed as select distinct {key} from "
            "((from was except from now_is) union all (from now_is except from was))"
        )
        return self.count("changed")

    def touch_changed(self, unit: Unit) -> bool:
        """Touch those whose rows differ; False where it is not known whose they are."""
        if unit.name == "pair":
            return False
        if unit.name == "compared_pair":  # touched_compared_pair sees for itself
            return True
        before = self.count("touched_asked")
        self.con.execute(
            f"insert into touched_asked select distinct lm_id, setting_id "
            f"from of_{unit.name} semi join changed using ({unit.key}) "
            "except from touched_asked"
        )
        if self.count("touched_asked") > before:
            self._run("touched_rows")
            for name in self._queries:
                self._find(name)
        return True

    def _run(self, name: str) -> None:
        """Run a file of statements. Inside the mirror, what they make reads the warehouse."""
        file = resources.files("warehouse") / "store" / "growth" / f"{name}.sql"
        named = rf'"{self.database}".\1.'
        self.con.execute(re.sub(r"\b(raw|intermediate)\.", named, file.read_text("utf-8")))

    def _mirror_places(self, name: str, narrow: str) -> None:
        """Put a raw table into the mirror: all rows, or those that a semi join keeps.

        They are searched for once; then their row ids find them. Raw tables lose no rows, so row
        ids stay. In other tables, from which rows are deleted, DuckDB may change them. Blocks of
        pairs are copied: to read one, DuckDB unpacks the lists of 2,048 neighbours.
        """
        table = f'"{self.database}".raw.{name}'
        if not narrow:
            self._mirror(f"raw.{name}", f"from {table}")
        elif f"raw.{name}" not in self._mirrored:
            sought = f"select rowid as place from {table} semi join {narrow}"
            query = self._placed(name, self._found(f"places_{name}", sought))
            if name in BY_BLOCK:
                query = f"from {self._found(f'rows_of_{name}', query)}"
            self._mirror(f"raw.{name}", query)

    def _placed(self, name: str, places: str) -> str:
        """Return a query for the rows of a raw table that lie at these places."""
        table = f'"{self.database}".raw.{name}'
        return f"from {table} as kept semi join {places} as found on kept.rowid = found.place"

    def _found(self, name: str, query: str) -> str:
        """Keep the rows of a query in a temporary table until more is touched; return its name."""
        self._queries[name] = query
        self._find(name)
        return f"temp.{name}"

    def _find(self, name: str) -> None:
        self.con.execute(f"create or replace temp table {name} as {self._queries[name]}")

    def _mirror(self, relation: str, query: str) -> None:
        if relation not in self._mirrored:
            self._mirrored.add(relation)
            self.con.execute(f"create view {MIRROR}.{relation} as {query}")

    def _has_grown(self, name: str, had: int) -> bool:
        has = self.count(f"raw.{name}")
        came = self.count(f"raw.{name} where rowid >= {had}") if has > had else 0
        if has < had or came != has - had:
            raise Doubt(f"raw.{name} had {had} rows and has {has}, of which {came} are new")
        return has > had


def _digest(relation: str, unit: Unit | None) -> str:
    """Return a query for the number of rows of each unit, and the sum of their hashes."""
    counted = f"count(*) as n, sum(hash(made)) as total from {relation} as made"
    return f"select {counted}" if unit is None else f"select {unit.key}, {counted} group by all"
