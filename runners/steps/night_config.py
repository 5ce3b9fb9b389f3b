"""A nightly configuration, checked whole before anything runs.

Each section names a verb; its settings are fields of the verb's spec. They must fit their types and
rules, one another, the rest of the file and what is in the warehouse. All faults are reported at
once, each with its line.
"""

import inspect
import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ingest.dataset_names import expecting
from ingest.datasets import DATASETS
from ingest.files import utf8_text
from ingest.problems.project_kinds import made_of, project_kind
from ingest.projects.curated import curated_projects
from runners import toml_lines
from warehouse import settings
from warehouse.errors import BadInput, known_names
from warehouse.facts.generations import language_models
from warehouse.facts.problems import ingested_datasets
from warehouse.facts.projects import ingested_projects
from warehouse.parameters import BadValue, Spec, parameters_of, shown, spec_of
from warehouse.registry import Registry
from warehouse.store.connection import bring_up_to_date, reading

MAX_CONFIG_BYTES = 1_000_000
"""Largest configuration that is read."""

STEPS: Registry[Callable[..., Any]] = Registry(
    "section",
    {
        "ingest": "ingest.loader:ingest_dataset",
        "project": "runners.projects.ingest:ingest_named",
        "regions": "runners.projects.problems:ingest_regions",
        "functions": "runners.projects.problems:ingest_functions",
        "lines": "runners.projects.problems:ingest_lines",
        "mutate": "runners.steps.mutate:mutate",
        "import": "ingest.imports.importer:import_generations",
        "generate": "runners.steps.generate:generate",
        "reflect": "runners.steps.reflect:reflect",
        "execute": "runners.steps.execute:execute",
        "ratings": "ingest.ratings:import_ratings",
        "rate": "runners.steps.ratings.rate:rate",
        "similarity": "runners.steps.similarity:similarity_pairs",
        "calibrate": "runners.steps.calibrate:calibrate",
        "build": "warehouse.views.build:build",
        "publish": "warehouse.snapshot.publish:publish",
        "export": "warehouse.reports.export:export",
    },
)
"""Sections in the order in which they are done, and the function of each."""

FITS: Registry[Callable[..., Any]] = Registry(
    "check",
    {
        "ingest": "ingest.loader:fit",
        "project": "runners.projects.ingest:fit",
        "regions": "runners.projects.ingest:fit",
        "functions": "runners.projects.ingest:fit",
        "lines": "runners.projects.problems:fit_lines",
        "mutate": "runners.steps.mutate:fit",
        "generate": "runners.steps.generate:fit",
        "reflect": "runners.specs:fit_backend",
        "rate": "runners.specs:fit_backend",
        "execute": "runners.steps.execute:fit",
        "similarity": "runners.steps.similarity:fit",
        "export": "warehouse.reports.export:fit",
    },
)
"""What raises BadValue for a spec that its step could not do here, whatever the rows are."""

PROJECTS, LINES = "project", "lines"
OF_PROJECTS = ("regions", "functions", LINES)
"""The section of projects, and those that make datasets of them, such as NAME-regions.

Lines are also made of datasets of functions."""

OPTIONAL = {
    *("ingest", PROJECTS, *OF_PROJECTS),
    *("mutate", "import", "generate", "reflect", "ratings", "rate", "export"),
}
"""Steps that are done only where the file has their section; the others always are."""

ANY = "*"
"""The name of a project that is known when its path is read."""

VARIABLE = r"\$\{(\w+)\}"

MAX_REASONS = 10
"""How many faults on one line are named; of the others their number."""

READ_PATHS = {"path", "prompts", "checkouts"}


@dataclass(frozen=True)
class Planned:
    """One step of a night: what is to be done with which parameters."""

    verb: str
    spec: Spec

    @property
    def name(self) -> str:
        """Its name for people."""
        keys = ("lm", "name", "dataset", "rescore", "view")
        named = [getattr(self.spec, key, None) for key in keys] + [*getattr(self.spec, "names", ())]
        return " ".join([self.verb, *(str(each) for each in named if each is not None)])

    def fit(self) -> None:
        """Raise BadValue where the step could not do this here."""
        if self.verb in FITS:
            FITS.load(self.verb)(self.spec)

    def run(self, *, progress: bool) -> Any:
        """Do the step."""
        step = STEPS.load(self.verb)
        has_progress = "progress" in inspect.signature(step).parameters
        return step(self.spec, **({"progress": progress} if has_progress else {}))


class BadConfig(BadInput):
    """A configuration that does not fit, with all that is wrong in it."""

    def __init__(self, faults: Sequence[BadInput]):
        super().__init__("; ".join(map(str, faults)))
        self.faults = list(faults)

    @property
    def lines(self) -> list[str]:
        """One line for each fault."""
        return [str(fault) for fault in self.faults]


def read_config(config: Path, *, files: bool = True) -> list[Planned]:
    """Return the steps of a configuration file; raises BadConfig with all that is wrong.

    Without ``files`` it is not checked whether the files it names are there.
    """
    try:
        text = utf8_text(config, limit=MAX_CONFIG_BYTES)
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.DOTALL)
        if not found:
            raise BadInput(f"not TOML: {error}", path=config) from error
        reason = f"not TOML: {found[1]} at column {found[3]}"
        raise BadInput(reason, path=config, row=found[2]) from error
    except RecursionError as error:
        raise BadInput("not TOML that can be read: nested too deeply", path=config) from error
    except ValueError as error:  # Python reads no number of more than 4,300 digits
        reason = "not TOML that can be read: a number has too many digits"
        raise BadInput(reason, path=config) from error
    return _planned(table, _Faults(config, text), files=files)


def _planned(table: Mapping[str, Any], faults: "_Faults", *, files: bool) -> list[Planned]:
    if not table:
        faults.add("nothing is configured: sections are " + ", ".join(STEPS))
    for name in table:
        if name not in STEPS:
            faults.add(f"no section [{name}]{known_names(name, STEPS)}", name)
    sections = []
    for name in STEPS:
        entries = table.get(name, [] if name in OPTIONAL else {})
        if entries == [] and name in table:
            faults.add(f"[{name}] is an empty list: name a table, or leave it out", name)
        for number, entry in enumerate(entries if isinstance(entries, list) else [entries]):
            if isinstance(entry, Mapping):
                made = [_Section(name, number, each, faults, files) for each in _each(entry)]
                _check_twice(made)
                sections += made
            else:
                faults.add(f"[{name}] must be a table, not {shown(entry)}", name, number)
    ingested = {section.value("name") for section in sections if section.name == "ingest"}
    with expecting(ingested):
        steps = [(section, step) for section in sections if (step := section.planned())]
    if files:
        _check_names(sections, [section for section, _ in steps])
    faults.refuse()
    return [step for _, step in steps]


def _each(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return a section once for each of its datasets, where it names a list of them."""
    names = entry.get("dataset")
    if not isinstance(names, list) or not names:
        return [entry]
    return [{**entry, "dataset": name} for name in names]


def _variables(value: Any) -> list[str]:
    """Return the names of the environment's variables in a text."""
    return re.findall(VARIABLE, value) if isinstance(value, str) else []


def _expanded(value: Any) -> Any:
    """Return a text with each ${NAME} taken from the environment."""
    if not isinstance(value, str):
        return value
    return re.sub(VARIABLE, lambda found: os.environ[found[1]], value)


def _check_twice(sections: Sequence["_Section"]) -> None:
    """Note a dataset that a list names twice."""
    named = Counter(section.value("dataset") for section in sections)
    for name in [name for name, n in named.items() if n > 1]:
        sections[0].add("dataset", f"{name} is named twice")


@dataclass
class _Faults:
    """What is wrong, by line of the file."""

    path: Path
    text: str
    reasons: dict[int, list[str]] = field(default_factory=dict)

    def add(self, reason: str, section: str = "", number: int = 0, key: str = "") -> None:
        line = self._line_of(section, number, key) if section else 1
        found = self.reasons.setdefault(line, [])
        if reason not in found:  # what is wrong for each of several datasets is said once
            found.append(reason)

    def _line_of(self, section: str, number: int, key: str) -> int:
        """Return the line of a key in the n-th section of a name, or that of the section."""
        places = [(section, number, key), (section, number, ""), (section, 0, "")]
        return next((self._lines[place] for place in places if place in self._lines), 1)

    @cached_property
    def _lines(self) -> dict[toml_lines.Place, int]:
        return toml_lines.places(self.text)

    def refuse(self) -> None:
        """Raise BadConfig if anything is wrong, in the order of the file."""
        lines = []
        for line, reasons in sorted(self.reasons.items()):
            left = len(reasons) - MAX_REASONS
            more = [f"{left} more on this line"] if left > 0 else []
            for reason in [*reasons[:MAX_REASONS], *more]:
                lines.append(BadInput(reason, path=self.path, row=line))
        if lines:
            raise BadConfig(lines)


@dataclass
class _Section:
    """One section of the file, held against its spec."""

    name: str
    number: int
    entry: Mapping[str, Any]
    faults: _Faults
    files: bool
    is_wrong: bool = False

    def _no_path(self, value: str) -> str:
        """Return why a text names no file of a night."""
        if not value:
            return "must be a path, not the empty text"
        config = self.faults.path
        return (
            "is this configuration" if (config.parent / value).resolve() == config.resolve() else ""
        )

    def planned(self) -> Planned | None:
        """Return the step, or note what is wrong."""
        spec = spec_of(STEPS.load(self.name))
        parameters = parameters_of(spec)
        arguments: dict[str, Any] = {}
        for key, given in self.entry.items():
            if key not in parameters:
                self.add(key, f"there is no such setting{known_names(key, sorted(parameters))}")
                continue
            if key == "dataset" and given == []:
                self.add(key, "the list is empty: name a dataset, or leave it out")
                continue
            unset = [name for name in _variables(given) if name not in os.environ]
            for name in unset:
                self.add(key, f"the environment variable {name} is not set")
            if unset:
                continue
            value = _expanded(given)
            if isinstance(value, str) and parameters[key].takes(Path):
                if reason := self._no_path(value):
                    self.add(key, reason)
                value = self.faults.path.parent / value  # an absolute path stays as it is
            if key == "names" and isinstance(value, list):
                value = [self._placed(each) for each in value]
            arguments[key] = value
            if reason := parameters[key].refusal(value) or self._missing(key, value):
                self.add(key, reason)
        required = {key for key, known in parameters.items() if known.required}
        for key in sorted(required - self.entry.keys()):
            self.add("", f"{key} is missing")
        if self.name == "build" and "select" in arguments and not self.is_wrong:
            self.add("select", "a night publishes all views, and this builds a part: leave it out")
        if self.is_wrong:
            return None
        try:
            step = Planned(self.name, spec(**arguments))
            step.fit()
        except BadValue as error:
            self.add(error.name, error.fault)
            return None
        return step

    def _placed(self, name: Any) -> Any:
        """Return the name of a project; a path is meant from where the configuration is."""
        is_path = isinstance(name, str) and "/" in name
        return str(self.faults.path.parent / Path(name).expanduser()) if is_path else name

    def projects(self) -> set[str]:
        """Return the names of the projects of a section; a path holds a project of any name."""
        given = self.entry.get("names") or list(curated_projects())
        names = map(str, given if isinstance(given, list) else [])
        return {ANY if "/" in name else name.partition("==")[0] for name in names}

    def value(self, key: str) -> str:
        """Return the text of a key, with the environment's values."""
        return os.path.expandvars(str(self.entry.get(key)))

    def _missing(self, key: str, value: Any) -> str:
        """Return that a file to be read is not there, or nothing."""
        if not (self.files and key in READ_PATHS):
            return ""
        return "" if value.exists() else f"{value}: no such file or folder"

    def add(self, key: str, reason: str) -> None:
        """Note what is wrong with a key, or with the section."""
        self.is_wrong = True
        where = f"[{self.name}] {key}: " if key else f"[{self.name}] "
        self.faults.add(where + reason, self.name, self.number, key)


def _check_names(sections: Sequence[_Section], fitting: Sequence[_Section]) -> None:
    """Note datasets and language models that nothing brings in and the warehouse does not have."""
    datasets, lms, projects = _stored()
    for section in sections:
        datasets |= {section.value("name")} if section.name == "ingest" else set()
        projects |= section.projects() if section.name == PROJECTS else set()
        if section.name in OF_PROJECTS:
            datasets |= {f"{project}-{section.name}" for project in section.projects()}
        lms |= {section.value("lm")} if section.name in ("generate", "import") else set()
    for section in fitting:
        if section.name in OF_PROJECTS:
            _check_made_of(section, projects, datasets)
        for key in ("dataset", "rescore"):
            name = section.value(key)
            if key in section.entry and name not in datasets:
                _check_dataset(section, key, name, datasets)
        lm = section.value("lm")
        if section.name in ("reflect", "calibrate") and "lm" in section.entry and lm not in lms:
            section.add("lm", f"{lm} has no generations, and no section draws or imports any")


def _check_made_of(section: _Section, projects: set[str], datasets: set[str]) -> None:
    """Note what a section makes problems of and nothing brings in.

    Without names it makes them of projects, of which there must be one.
    """
    named = section.projects() if "names" in section.entry else set()
    functions = {name for name in named if section.name == LINES and name in DATASETS}
    for name in sorted(functions - datasets):
        _check_dataset(section, "names", name, datasets)
    if {ANY} & (projects | section.projects()) or (named and named == functions):
        return
    for name in sorted(named - functions - projects):
        section.add("names", f'{name} is not ingested: add [[project]] with names = ["{name}"]')
    if not projects:
        section.add("", "no project is ingested, and no section [[project]] brings any in")


def _check_dataset(section: _Section, key: str, name: str, datasets: set[str]) -> None:
    """Note a dataset that is not there, and what would bring it in."""
    source, holds = made_of(name)
    if not project_kind(name):
        section.add(key, f'{name} is not ingested: add [[ingest]] with name = "{name}"')
    elif f"{ANY}-{holds}" not in datasets:
        section.add(key, f'{name} is not ingested: add [[{holds}]] with names = ["{source}"]')


def _stored() -> tuple[set[str], set[str], set[str]]:
    """Return the datasets, language models and projects of the warehouse, if it exists."""
    if not settings.warehouse_path().exists():
        return set(), set(), set()
    bring_up_to_date()
    with reading() as con:
        return set(ingested_datasets(con)), set(language_models(con)), set(ingested_projects(con))
