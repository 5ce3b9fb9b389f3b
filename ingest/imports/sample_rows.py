"""Samples on their way into the warehouse: made into rows, checked against one another.

A text that no row can hold (too long, or with a NUL byte) is not kept. Its sample is a generation
without a text, and an issue says why. It counts like every other sample, as one that fails.
"""

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar

import pyarrow as pa

from ingest import keys
from ingest.answers import RULES
from ingest.answers.truncate import CANONICAL_IMPORTS, Kept
from ingest.batches import Batches
from ingest.dataset_names import ListedOrOwn
from ingest.datasets import DATASETS
from ingest.fields import Fields, UnkeptReason, n_bytes, unkept_reason
from ingest.imports import FORMATS
from ingest.problems.dataset import ProblemKind
from ingest.samples import Sample
from ingest.tokens import kept_tokens, top_columns
from models.base import Row
from models.keys import content_key, text_key
from models.tables import (
    Generation,
    GenerationIssue,
    GenerationText,
    LanguageModel,
    TokenLogprob,
    Variant,
)
from warehouse.errors import BadInput
from warehouse.facts.generations import first_conflict, has_generations
from warehouse.facts.problems import TaskVariant
from warehouse.frames import Frames, frames_of
from warehouse.parameters import (
    COUNT,
    SEED,
    TEMPERATURE,
    TOP_P,
    Choice,
    Range,
    Spec,
    on_one_line,
    printable,
)
from warehouse.store.connection import reading


@dataclass(frozen=True)
class ImportSpec(Spec):
    """The file to import, and the known sampling parameters of its samples.

    ``prompts`` pairs ``task_id`` with ``prompt`` for files that name no task. ``truncate`` is a
    rule of ``answers.truncate``; ``whole`` keeps what the file has. ``first_position`` is where in
    the dataset a file begins whose problems are known by their order only. ``skip_unknown`` passes
    over tasks that the dataset does not have, and counts them.
    """

    unstored: ClassVar = ("simulated", "prompts", "first_position", "skip_unknown")

    path: Path
    format: Annotated[str, Choice(FORMATS)]
    dataset: Annotated[str, ListedOrOwn(DATASETS, "dataset")]
    lm: Annotated[str, printable]
    revision: Annotated[str, on_one_line] = ""
    temperature: Annotated[float | None, TEMPERATURE] = None
    top_p: Annotated[float | None, TOP_P] = None
    max_tokens: Annotated[int | None, COUNT] = None
    stop: Sequence[str] = ()
    seed: Annotated[int | None, SEED] = None
    resampled: bool = False
    label: Annotated[str, on_one_line] = ""
    simulated: bool = False
    prompts: Path | None = None
    truncate: Annotated[str, Choice((*RULES, CANONICAL_IMPORTS), "keeping rule")] = "whole"
    first_position: Annotated[int, Range(0, 1_000_000_000, whole=True)] = 0
    skip_unknown: bool = False

    def conflicts(self) -> Iterator[tuple[str, str]]:
        """Yield that a rule needs stop strings."""
        if self.truncate == "stop" and not any(self.stop):
            yield "truncate", "truncation at stop strings needs at least one stop string"


@dataclass(frozen=True, slots=True)
class PlacedSample:
    """A sample with its keys, and the line to name when something is wrong with it.

    ``text_key`` is that of the text as the file has it, kept or not.
    """

    sample: Sample
    variant: TaskVariant
    setting_id: str
    sample_index: int
    generation_id: str
    text_key: str
    line: Fields


class SampleRows:
    """Rows being made from samples, with all that must hold across a whole file."""

    def __init__(self, spec: ImportSpec, kind: ProblemKind):
        self.spec = spec
        self.kind = kind
        self.lm_id = keys.lm_id(spec.lm, spec.revision)
        self.n_samples = 0
        self.n_repeated = 0
        self.n_unkept = 0
        self.problem_ids: set[str] = set()
        self._settings: dict[tuple[str, str], keys.SettingValues] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        self._seen: dict[bytes, int] = {}
        self._text_keys: list[str] = []
        self._rows: list[int | str] | array[int] = array("q")
        self._generations = Batches(Generation)
        self._texts = Batches(GenerationText)
        self._tokens = Batches(TokenLogprob)
        self._issues = Batches(GenerationIssue)

    def take(self, sample: Sample, variant: TaskVariant, line: Fields) -> None:
        """Turn one sample into rows; raises BadInput when it contradicts an earlier one."""
        self.n_samples += 1
        self.problem_ids.add(variant.problem_id)
        setting = self._setting(sample.style, variant.kind)
        index = sample.sample_index
        if index is None:
            index = self._counts[variant.variant_id, setting]
            self._counts[variant.variant_id, setting] += 1
        generation_id = keys.generation_id(self.lm_id, variant.variant_id, setting, index)
        text = text_key(sample.text)
        earlier = self._seen.setdefault(bytes.fromhex(generation_id), len(self._text_keys))
        if earlier < len(self._text_keys):
            if self._text_keys[earlier] != text:
                raise line.bad(
                    f"sample {index} of this task already came with another text in row "
                    f"{self._rows[earlier]}"
                )
            self.n_repeated += 1
            return
        self._text_keys.append(text)
        self._note_row(sample.row)
        placed = PlacedSample(sample, variant, setting, index, generation_id, text, line)
        reason = unkept_reason(sample.text)
        if reason is None:
            self._add(placed, self._kept(sample, line))
        else:
            self._add_issue(placed, reason)
            without = replace(sample, text="", tokens=None, logprobs=None)
            self._add(replace(placed, sample=without), Kept("", 0, 0))

    def refuse_conflicts(self) -> None:
        """Raise BadInput when the warehouse holds another text under one of these samples."""
        if not self.n_samples:
            raise BadInput("no samples found", path=self.spec.path)
        with reading() as con:
            if not has_generations(con, self.lm_id):
                return
            incoming = pa.table(
                {
                    "generation_id": [key.hex() for key in self._seen],
                    "text_key": self._text_keys,
                    "n": range(len(self._text_keys)),
                }
            )
            conflict = first_conflict(con, self.spec.truncate, incoming)
        if conflict:
            by_rule = f"truncated by {conflict.kept_rule}"
            reason = "with another text" if conflict.has_other_text else by_rule
            raise BadInput(
                f"sample {conflict.sample_index} of this task is already in the warehouse "
                f"{reason}; a label keeps two imports apart",
                path=self.spec.path,
                row=self._rows[conflict.n],
            )

    def frames(
        self, language_model: LanguageModel, variants: Sequence[TaskVariant], run_id: str
    ) -> Frames:
        """Return everything as Arrow tables of one run, with the ``variants`` that are new.

        Nothing more can be taken in after it.
        """
        self._seen.clear()
        self._text_keys.clear()
        rows: list[Row] = [language_model, *(each.row(run_id) for each in self._settings.values())]
        rows += [
            Variant(
                variant_id=variant.variant_id,
                problem_id=variant.problem_id,
                kind=variant.kind,
                parent_variant_id=None,
                prompt=variant.prompt,
                seed=None,
                run_id=run_id,
            )
            for variant in variants
        ]
        bulk: Frames = {
            Generation: self._generations.table(run_id),
            GenerationText: self._texts.table(run_id),
            TokenLogprob: self._tokens.table(run_id),
            GenerationIssue: self._issues.table(run_id),
        }
        return {**frames_of(rows), **{key: frame for key, frame in bulk.items() if frame.num_rows}}

    def _add_issue(self, placed: PlacedSample, reason: UnkeptReason) -> None:
        """Note that a text is not kept; its key names no run, so that a second import adds none."""
        self.n_unkept += 1
        text = placed.sample.text
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        self._issues.add(
            content_key(placed.generation_id, reason.code),
            placed.generation_id,
            self.lm_id,
            placed.setting_id,
            placed.variant.problem_id,
            placed.sample_index,
            reason.code,
            f"the text has {reason.has}; {n_bytes(text):,} bytes in all, SHA-256 {digest}",
            False,
        )

    def _add(self, placed: PlacedSample, kept: Kept) -> None:
        sample, generation_id = placed.sample, placed.generation_id
        self._generations.add(
            generation_id,
            self.lm_id,
            placed.variant.problem_id,
            placed.variant.variant_id,
            placed.setting_id,
            placed.sample_index,
            None,
            self.spec.format,
            placed.text_key,
            sample.finish_reason,
            sample.n_prompt_tokens,
            sample.n_completion_tokens,
            sample.latency_s,
            sample.cost_usd,
            sample.claimed_pass,
        )
        self._texts.add(
            generation_id,
            sample.text,
            kept.text,
            self.spec.truncate,
            n_characters=2 * len(sample.text),
        )
        if sample.tokens is not None and sample.logprobs is not None:
            try:
                inside = kept_tokens(sample.tokens, sample.text, kept.start, kept.end)
            except ValueError as error:
                raise placed.line.bad(str(error)) from error
            top_tokens, top_logprobs = top_columns(sample.top_logprobs)
            self._tokens.add(
                generation_id,
                sample.tokens,
                sample.logprobs,
                inside,
                top_logprobs,
                sample.cumulative_logprob,
                top_tokens,
                n_characters=50 * len(sample.tokens),
            )

    def _kept(self, sample: Sample, line: Fields) -> Kept:
        if self.spec.truncate == CANONICAL_IMPORTS:
            if sample.canonical_imports is None:
                raise line.bad(
                    f"{CANONICAL_IMPORTS} needs the file's own solutions: the format "
                    f"{self.spec.format} has none"
                )
            return Kept(sample.canonical_imports + sample.text, 0, len(sample.text))
        whole_program = self.kind.references_run and not sample.style.continues_prompt
        if whole_program and self.spec.truncate != "whole":
            raise line.bad(f"a solution is a whole program: {self.spec.truncate} does not apply")
        return RULES.load(self.spec.truncate)(sample.text, self.spec.stop)

    def _note_row(self, row: int | str) -> None:
        if isinstance(row, str) and isinstance(self._rows, array):
            self._rows = [*self._rows]
        self._rows.append(row)  # type: ignore[arg-type]

    def _setting(self, style: str, prompt_kind: str) -> str:
        known = self._settings.get((style, prompt_kind))
        if known is None:
            spec = self.spec
            known = self._settings[style, prompt_kind] = keys.SettingValues(
                task=self.kind.task,
                style=style,
                prompt_kind=prompt_kind,
                temperature=spec.temperature,
                top_p=spec.top_p,
                max_tokens=spec.max_tokens,
                stop=spec.stop,
                seed=spec.seed,
                resampled=spec.resampled,
                label=spec.label,
            )
        return known.setting_id
