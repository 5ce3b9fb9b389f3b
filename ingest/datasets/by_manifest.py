"""Datasets that need no code: each is a manifest in the folder ``manifests`` beside this file."""

from pathlib import Path

from ingest.manifests.own import listed_dataset

FOLDER = Path(__file__).with_name("manifests")

CRUXEVAL_INPUT = listed_dataset(FOLDER / "cruxeval_input.toml")
CRUXEVAL_OUTPUT = listed_dataset(FOLDER / "cruxeval_output.toml")
EVOEVAL = listed_dataset(FOLDER / "evoeval.toml")
CLASSEVAL = listed_dataset(FOLDER / "classeval.toml")
