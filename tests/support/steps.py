"""The steps, called by the fields of their specs."""

from pathlib import Path
from typing import Any

from ingest import loader
from ingest import ratings as rated_by_people
from ingest.claims import importer as claiming
from ingest.claims.claim_rows import ClaimsSpec
from ingest.imports import importer
from ingest.imports.sample_rows import ImportSpec
from runners import specs
from runners.specs import ExecuteSpec, GenerateSpec, RateSpec, ReflectSpec
from runners.steps import calibrate as calibrating
from runners.steps import execute as executing
from runners.steps import generate as generating
from runners.steps import mutate as mutating
from runners.steps import reflect as reflecting
from runners.steps import similarity as comparing
from runners.steps.ratings import rate as rating
from warehouse.reports import export as exporting
from warehouse.reports import paper as tabulating
from warehouse.reports.plots import plot as drawing
from warehouse.reports.plots.spec import PlotSpec
from warehouse.reports.site import site as showing
from warehouse.reports.specs import ExportSpec, PaperSpec, SiteSpec
from warehouse.snapshot import publish as publishing
from warehouse.views import build as building


def ingest_dataset(*name_and_path: Any, **fields: Any) -> loader.IngestReport:
    return loader.ingest_dataset(loader.IngestSpec(*name_and_path, **fields))


def mutate(*, progress: bool = True, **fields: Any) -> mutating.MutateReport:
    return mutating.mutate(specs.MutateSpec(**fields), progress=progress)


def similarity_pairs(*, progress: bool = True, **fields: Any) -> comparing.SimilarityReport:
    return comparing.similarity_pairs(specs.SimilaritySpec(**fields), progress=progress)


def calibrate(*, progress: bool = True, **fields: Any) -> calibrating.CalibrateReport:
    return calibrating.calibrate(specs.CalibrateSpec(**fields), progress=progress)


def build(
    path: Path | None = None, *, unit_tests: bool = False, **fields: Any
) -> building.BuildReport:
    spec = building.BuildSpec(**fields)
    return building.build(spec, path, unit_tests=unit_tests)


def publish(**fields: Any) -> publishing.PublishReport:
    return publishing.publish(publishing.PublishSpec(**fields))


def import_generations(*path: Any, **fields: Any) -> importer.ImportReport:
    return importer.import_generations(ImportSpec(*path, **fields))


def execute(*, progress: bool = True, **fields: Any) -> executing.ExecuteReport:
    return executing.execute(ExecuteSpec(**fields), progress=progress)


def generate(*, progress: bool = True, **fields: Any) -> generating.GenerateReport:
    return generating.generate(GenerateSpec(**fields), progress=progress)


def reflect(*, progress: bool = True, **fields: Any) -> reflecting.ReflectReport:
    return reflecting.reflect(ReflectSpec(**fields), progress=progress)


def import_ratings(*path: Any, **fields: Any) -> rated_by_people.RatingsReport:
    return rated_by_people.import_ratings(rated_by_people.RatingsSpec(*path, **fields))


def import_claims(*path: Any, **fields: Any) -> claiming.ClaimsReport:
    return claiming.import_claims(ClaimsSpec(*path, **fields))


def rate(*, progress: bool = True, **fields: Any) -> rating.RateReport:
    return rating.rate(RateSpec(**fields), progress=progress)


def export(**fields: Any) -> exporting.ExportReport:
    return exporting.export(ExportSpec(**fields))


def export_paper(paper: str, **fields: Any) -> list[exporting.ExportReport]:
    return tabulating.export_paper(PaperSpec(paper, **fields))


def plot(kind: str, **fields: Any) -> list[exporting.ExportReport]:
    return drawing.plot(PlotSpec(kind, **fields))


def site(**fields: Any) -> showing.SiteReport:
    return showing.site(SiteSpec(**fields))
