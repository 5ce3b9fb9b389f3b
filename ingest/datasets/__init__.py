"""The datasets: short name to what declares and reads it, imported when asked for."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from ingest.problems.dataset import Dataset

DATASETS: "Registry[Dataset]" = Registry(
    "dataset",
    {
        "starter": "ingest.datasets.starter:DATASET",
        "humaneval": "ingest.datasets.humaneval:DATASET",
        "humaneval_plus": "ingest.datasets.humaneval_plus:DATASET",
        "mbpp": "ingest.datasets.mbpp:DATASET",
        "mbpp_sanitized": "ingest.datasets.mbpp_sanitized:DATASET",
        "mbpp_plus": "ingest.datasets.mbpp_plus:DATASET",
        "codecontests": "ingest.datasets.codecontests:DATASET",
        "apps": "ingest.datasets.apps:DATASET",
        "defects4j": "ingest.datasets.defects4j:DATASET",
        "manysstubs4j": "ingest.datasets.manysstubs4j:DATASET",
        "codereviewer": "ingest.datasets.codereviewer:DATASET",
        "arcade": "ingest.datasets.arcade:DATASET",
        "cruxeval_input": "ingest.datasets.by_manifest:CRUXEVAL_INPUT",
        "cruxeval_output": "ingest.datasets.by_manifest:CRUXEVAL_OUTPUT",
        "evoeval": "ingest.datasets.by_manifest:EVOEVAL",
        "classeval": "ingest.datasets.by_manifest:CLASSEVAL",
        "humaneval_x_js": "ingest.datasets.humaneval_x:JAVASCRIPT",
        "humaneval_x_java": "ingest.datasets.humaneval_x:JAVA",
        "humaneval_x_cpp": "ingest.datasets.humaneval_x:CPP",
        "humaneval_x_rust": "ingest.datasets.humaneval_x:RUST",
    },
    group="assay.datasets",
    of="ingest.problems.dataset:Dataset",
    named="source.dataset",
)
