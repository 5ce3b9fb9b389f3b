"""The expectations of every incoming frame, for each raw table: data for the gate."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from models import tables, words
from models.base import Row
from models.projects.lines import TEXT as LINES
from warehouse.checks.expectations import Expectation
from warehouse.frames import key_of

KEY = r"^[0-9a-f]{32}$"
VERSIONED = r"^[a-z][a-z_]*_v[0-9]+$"
POLICY = rf"^(?:{'|'.join(words.POLICIES)})(?: (?:cpu|test|memory)=[0-9.e+]+)*$"


def one_of(column: str, values: Sequence[str | int]) -> Expectation:
    """The column holds only these values."""
    return Expectation("ExpectColumnValuesToBeInSet", {"column": column, "value_set": list(values)})


def between(column: str, low: float | None = None, high: float | None = None) -> Expectation:
    """The column lies in the closed range."""
    kwargs: dict[str, Any] = {"column": column}
    if low is not None:
        kwargs["min_value"] = low
    if high is not None:
        kwargs["max_value"] = high
    return Expectation("ExpectColumnValuesToBeBetween", kwargs)


def ordered(small: str, large: str) -> Expectation:
    """Column ``small`` is nowhere above column ``large``."""
    return Expectation(
        "ExpectColumnPairValuesAToBeGreaterThanB",
        {
            "column_A": large,
            "column_B": small,
            "or_equal": True,
            "ignore_row_if": "either_value_is_missing",
        },
    )


def equal(left: str, right: str) -> Expectation:
    """Two columns agree row by row."""
    return Expectation("ExpectColumnPairValuesToBeEqual", {"column_A": left, "column_B": right})


def line_list(also: str = "") -> Expectation:
    """The column ``lines`` holds line numbers such as ``3-7,9``, or what is also allowed."""
    regex = rf"^(?:{LINES.pattern}{also})$"
    return Expectation("ExpectColumnValuesToMatchRegex", {"column": "lines", "regex": regex})


OWN: dict[type[Row], list[Expectation]] = {
    tables.RunFinish: [one_of("status", words.RUN_STATUSES)],
    tables.DatasetRelease: [between("n_problems", 1)],
    tables.Problem: [between("position", 0), between("atol", 0)],
    tables.Test: [
        one_of("suite", words.SUITES),
        one_of("kind", words.TEST_KINDS),
        between("test_index", 0),
    ],
    tables.Setting: [
        one_of("style", words.STYLES),
        between("temperature", 0),
        between("top_p", 0, 1),
        between("max_tokens", 1),
    ],
    tables.Generation: [
        between("sample_index", 0),
        between("n_prompt_tokens", 0),
        between("n_completion_tokens", 0),
        between("latency_s", 0),
        between("cost_usd", 0),
    ],
    tables.TokenLogprob: [
        between("tokens__length", 1),
        equal("tokens__length", "logprobs__length"),
        equal("tokens__length", "kept__length"),
        equal("top_tokens__length", "top_logprobs__length"),
        between("logprobs__max", None, 0),
    ],
    tables.Candidate: [between("n_characters", 0)],
    tables.Admission: [
        Expectation("ExpectColumnValuesToMatchRegex", {"column": "policy", "regex": POLICY}),
        one_of("mode", [*words.INTEGRITIES, words.REJECTED]),
        between("cpu_limit_s", 0),
        between("test_cpu_limit_s", 0),
        ordered("cpu_limit_s", "wall_limit_s"),
    ],
    tables.Outcome: [
        one_of("verdict", words.VERDICTS),
        one_of("isolation", words.LEVELS),
        one_of("integrity", words.INTEGRITIES),
        one_of("why_ended", words.WHY_ENDED),
        between("attempt", 1),
        between("cpu_s", 0),
        between("wall_s", 0),
        between("n_passed", 0),
        ordered("n_passed", "n_tests"),
    ],
    tables.LimitTrial: [
        one_of("verdict", words.VERDICTS),
        one_of("why_ended", words.WHY_ENDED),
        between("factor", 1),
        between("cpu_s", 0),
        ordered("n_passed", "n_tests"),
    ],
    tables.TestOutcome: [
        one_of("status", [*words.VERDICTS, words.NOT_RUN]),
        between("attempt", 1),
        between("test_index", 0),
    ],
    tables.Canary: [one_of("verdict", words.VERDICTS)],
    tables.PairCountBlock: [
        one_of("measure", words.SIMILARITIES),
        between("firsts__length", 1),
        equal("candidates__length", "n_tokens__length"),
        equal("firsts__length", "seconds__length"),
        equal("firsts__length", "n_shared__length"),
    ],
    tables.Scorer: [
        Expectation("ExpectColumnValuesToMatchRegex", {"column": "measure", "regex": VERSIONED})
    ],
    tables.CandidateFeature: [one_of("null_reason", words.PAIR_NULL_REASONS)],
    tables.PairScoreBlock: [
        between("firsts__length", 1),
        equal("firsts__length", "seconds__length"),
        equal("firsts__length", "scores__length"),
        equal("firsts__length", "null_reasons__length"),
        between("scores__max", None, 1),
    ],
    tables.PairRating: [
        between("vote", 0),
        one_of("level", words.RATING_LEVELS),
        one_of("null_reason", words.RATING_NULL_REASONS),
    ],
    tables.TextSimilarity: [
        one_of("measure", list(words.TEXT_MEASURES)),
        one_of("component", sorted(chain.from_iterable(words.TEXT_MEASURES.values()))),
        between("value", 0, 1),
    ],
    tables.EndpointCapability: [one_of("capability", words.CAPABILITIES)],
    tables.GenerationRequest: [between("n_attempts", 1)],
    tables.GenerationIssue: [one_of("code", words.GENERATION_ISSUES), between("sample_index", 0)],
    tables.ReflectionReading: [between("value", 0, 1)],
    tables.CalibrationFit: [
        one_of("rescaler", words.RESCALERS[1:]),
        one_of("null_reason", words.FIT_NULL_REASONS),
        between("fold", 0),
        between("n_positive", 0),
        ordered("n_positive", "n_train"),
    ],
    tables.MutationScan: [between("n_sites", 0), between("n_declined", 0)],
    tables.MutationSite: [between("site_index", 0), between("line", 1)],
    tables.MutationPair: [one_of("edition", words.EDITIONS)],
    tables.KfoldOrder: [between("n_rows", 1)],
    tables.Estimate: [
        one_of("rescaler", words.RESCALERS),
        between("n_replicates", 1),
        between("n_dropped", 0),
        ordered("low", "high"),
    ],
    tables.ProjectEnvironment: [between("n_packages", 0)],
    tables.SuiteRun: [
        one_of("verdict", words.SUITE_VERDICTS),
        one_of("isolation", words.LEVELS),
        one_of("integrity", words.INTEGRITIES),
        between("attempt", 1),
        between("cpu_s", 0),
        between("wall_s", 0),
    ],
    tables.SuiteTest: [
        one_of("outcome", words.SUITE_OUTCOMES),
        between("test_index", 0),
        between("cpu_s", 0),
        between("wall_s", 0),
    ],
    tables.ProjectFile: [line_list(r"|")],
    tables.TestCoverage: [between("test_index", 0), line_list()],
    tables.ProjectFunction: [
        between("first_line", 1),
        ordered("first_line", "def_line"),
        ordered("def_line", "colon_line"),
        ordered("docstring_first_line", "docstring_last_line"),
        ordered("colon_line", "docstring_first_line"),
        ordered("colon_line", "body_first_line"),
        ordered("body_first_line", "last_line"),
    ],
    tables.ProjectProblem: [between("first_line", 1), ordered("first_line", "last_line")],
    tables.RegionCheck: [
        one_of("filling", words.FILLINGS),
        one_of("verdict", words.VERDICTS),
        between("first_line", 1),
        ordered("first_line", "last_line"),
        between("repetition", 1),
    ],
}


def suite_of(table: type[Row]) -> list[Expectation]:
    """Return all expectations of one table: keys, required columns, no NaN, and its own."""
    columns = table.__table__.columns  # type: ignore[attr-defined]
    required = [
        Expectation("ExpectColumnValuesToNotBeNull", {"column": column.name})
        for column in columns
        if not column.nullable
    ]
    key = key_of(table)
    if len(key) == 1:
        unique = Expectation("ExpectColumnValuesToBeUnique", {"column": key[0]})
        hashed = [Expectation("ExpectColumnValuesToMatchRegex", {"column": key[0], "regex": KEY})]
    else:
        unique = Expectation("ExpectCompoundColumnsToBeUnique", {"column_list": key})
        hashed = []
    return [*required, unique, *hashed, *OWN.get(table, [])]
