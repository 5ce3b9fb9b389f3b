"""The steps, called by the fields of their specs."""

from typing import Any

from ingest.imports import importer
from ingest.imports.intake import ImportSpec
from runners.specs import ExecuteSpec, GenerateSpec, ReflectSpec
from runners.steps import execute as executing
from runners.steps import generate as generating
from runners.steps import reflect as reflecting
from warehouse.reports import export as exporting


def import_generations(*path: Any, **fields: Any) -> importer.ImportReport:
    return importer.import_generations(ImportSpec(*path, **fields))


def execute(*, progress: bool = True, **fields: Any) -> executing.ExecuteReport:
    return executing.execute(ExecuteSpec(**fields), progress=progress)


def generate(*, progress: bool = True, **fields: Any) -> generating.GenerateReport:
    return generating.generate(GenerateSpec(**fields), progress=progress)


def reflect(*, progress: bool = True, **fields: Any) -> reflecting.ReflectReport:
    return reflecting.reflect(ReflectSpec(**fields), progress=progress)


def export(**fields: Any) -> exporting.ExportReport:
    return exporting.export(exporting.ExportSpec(**fields))
