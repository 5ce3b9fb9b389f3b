"""Every list of codes and every tolerance that more than one room uses. Standard library only.

dbt repeats some of them, as vars and in macros, because SQL cannot import; a test compares.
"""

from enum import StrEnum

PASSED = "passed"
FAILED = "failed"
ERROR = "error"
TIMEOUT = "timeout"
OUT_OF_MEMORY = "out_of_memory"
TAMPERED = "tampered"
HARNESS_FAULT = "harness_fault"
"""The judge's own machinery broke: says nothing about the program."""

NOT_RUN = "not_run"
"""The status of a test that a program never reached."""

VERDICTS = (PASSED, FAILED, ERROR, TIMEOUT, OUT_OF_MEMORY, HARNESS_FAULT, TAMPERED)

LEVELS = ("ns+seccomp", "ns1+seccomp", "seccomp+landlock", "seccomp", "rlimits", "none")
"""Isolation levels, the strongest first."""

SAFE_LEVELS = LEVELS[:3]
"""Levels at which no program can read, write, connect or signal outside its sandbox."""

FILTERED = LEVELS[:4]
"""Levels at which system calls are filtered; no file can be locked there."""

WITH_NAMESPACES = LEVELS[:2]
"""Levels at which a program has a private /tmp, and is shown no other files than it needs."""

SPLIT = "split"
SAME_INTERPRETER = "same_interpreter"
INTEGRITIES = (SPLIT, SAME_INTERPRETER)
"""Whether the tests ran in a process of the judge's, or beside the program."""

STDOUT_COMPARISONS = ("stdout", "stdout_nocase", "stdout_floats", "stdout_loose")
"""Comparisons of printed text, for whole programs: see runners/judging/sandbox/compare.py."""

VALUE_COMPARISONS = ("exact", "evalplus", "set", "json_value")
"""Comparisons of values that a user's own dataset may ask for: see the same file."""

REJECTED = "rejected"
"""The mode of an admission whose reference fails: no program is judged under it."""

WHY_ENDED = ("exit", "signal", "cpu", "wall", "protocol", "judge", "refused", "sandbox")
"""How the process of a program came to its end."""

CUT_OFF = WHY_ENDED[2:4]
"""It reached a limit, so that a longer one could bring another verdict."""

CALIBRATED = "calibrated"
FAST = "fast"
COMPAT = "compat"
POLICIES = (CALIBRATED, FAST, COMPAT)
"""Policies that set a program's limits: see runners/judging/policies.py."""


PYTHON = "python"
LANGUAGES = (PYTHON, "javascript", "java", "cpp", "rust")
"""Languages in which programs are judged; those after the first have a compiler or a runtime."""


class Style(StrEnum):
    """What the text of a generation is.

    COMPLETION continues its prompt; SOLUTION answers a chat, or is whole in itself."""

    COMPLETION = "completion"
    SOLUTION = "solution"

    @property
    def continues_prompt(self) -> bool:
        """Whether the program begins with the prompt."""
        return self is Style.COMPLETION

    @property
    def in_chat(self) -> bool:
        """Whether it is asked for in the messages of a chat."""
        return self is Style.SOLUTION


STYLES = tuple(Style)

SCRIPT = "__main__"
"""Entry point of a problem whose solution is a whole program that reads standard input."""

RUN_STATUSES = ("ok", "failed", "interrupted", "canary_failed")

SUITE_VERDICTS = (
    *("passed", "failed", "no_tests", "import_failed", "collection_failed", "collection_ended"),
    *("ended", "timeout", "not_started", "not_prepared", "tampered", "harness_fault"),
)
"""How the suite of a project ended: see runners/projects/verdicts.py."""

SUITE_OUTCOMES = (
    *("passed", "failed", "error", "skipped", "xfailed", "xpassed"),
    *("set_aside", "not_run"),
)
"""What became of one test of a suite. ``set_aside``: the curated list says why it is not run."""

QUARANTINE_REASONS = ("flaky", *SUITE_OUTCOMES[1:], "one_attempt")
"""Why a test of a suite is not used. ``one_attempt``: it passed, and was not run twice."""

PROJECT = "project"
"""How outputs of a problem of a real project are compared: by the tests of its suite."""

TEXT = "text"
"""How a problem without tests is compared: nothing is run, texts are compared with texts."""

FILLINGS = ("nothing", "pass")
"""What takes the place of a region that is taken out."""

TASKS_OF_METRICS = {
    "correctness": ("synthesis", "line_completion", "function_completion"),
    "whole_functions": ("synthesis",),
    "exact_match": ("repair", "line_completion"),
    "line_completion": ("line_completion",),
    "confidence": (
        *("synthesis", "repair", "counterfactual"),
        *("line_completion", "function_completion"),
    ),
    "mutation_effect": ("counterfactual",),
    "description": ("description",),
    "round_trip": ("resynthesis",),
    "edit_description": ("edit_description",),
    "edit": ("edit",),
    "stated_confidence": ("reflection",),
}
"""The tasks whose generations each family of metrics takes; dbt has them as the var ``tasks``.

Only whole functions are compared with each other, and judged by the tests of another dataset."""

SUITES = ("base", "plus")
TEST_KINDS = ("assert", "io", "stdio", "call")

GIVEN_KINDS = ("stdio", "call")
"""Kinds of tests that hold their expected output; for ``io`` the reference computes it."""

UNKEPT_ISSUES = ("text_too_long", "text_has_nul", "text_not_unicode")
"""Why the text of an imported sample is not kept: no row can hold it."""

UNKEPT_PROGRAM = "\N{NO-BREAK SPACE}\n"
"""The program of a sample whose text is not kept. It has no token, and Python cannot read it: it
passes no test, and no measure compares it."""

UNKEPT_CANDIDATE = "b53d7275c99a544541ac330df980134d"
"""Its key, which dbt has as a var."""

GENERATION_ISSUES = (
    *("bad_request", "unauthorized", "unknown_lm", "refused", "cost_ceiling", "gave_up"),
    *("logprob_missing", "logprob_count", "logprob_nan", "logprob_positive"),
    *("empty_completion", "no_code", "several_blocks", "wrong_language", "parse_fail"),
    *UNKEPT_ISSUES,
)
"""Problems of a generation, or of the attempt to draw it."""

CUT = "cut"
"""The kind of a variant that is the reference, cut."""

CAPABILITIES = ("models", "n", "seed", "stop", "logprobs", "top_logprobs", "prompt_list", "echo")
"""Capabilities that an endpoint may have, in the order in which they are tried."""

SIMILARITIES = ("scc_v1", "tokens_v2")
"""Measures of two programs that count the tokens they share."""

TEXT_NOT_KEPT = "text_not_kept"
"""Why a pair has no score under any measure: the text of a sample is not kept."""

PAIR_NULL_REASONS = (
    *("empty_code", "no_known_token", "no_parse", "too_large", "not_finite"),
    TEXT_NOT_KEPT,
)
"""Why two programs have no score: one of them has no feature that the measure can compare."""

JUDGE_MEASURES = {"judge_v1": (1, 1), "judge_v2": (2, 3)}
"""Measures that ask a language model how alike two programs are. Each has the number of orders in
which the programs are shown, and the votes per order."""

HUMAN_MEASURE = "human_v1"
"""The measure of people who were asked the same."""

RATING_LEVELS = (1, 2, 3, 4, 5)
"""From completely different to an exact copy (Chon et al., arXiv 2408.14504, Table 1)."""

RATING_NULL_REASONS = ("empty_reply", "no_level", "unreadable", "out_of_range")
"""Why the reply of a language model gives no level."""

TEXT_MEASURES = {
    "bleu_intl_v1": ("bleu",),
    "chrf_v1": ("chrf",),
    "codebleu_v1": ("ngram_match", "weighted_ngram_match", "syntax_match", "dataflow_match"),
}
"""Measures of a text and the text that it should be like, each with its components."""

MEASURES_OF_WORDS = ("bleu_intl_v1",)
"""Those of a description of an edit and what a person said of it (Allamanis et al. 2024, 4.3)."""

NOTIONS = {"all_pass": "all-pass", "exact_match": "exact match"}
"""Notions of correctness that a confidence is compared with, as they are printed."""

CONFIDENCES_OF_PAPER = (
    *("total_prob", "avg_prob", "ask_tf", "ask_tf_normalized", "verbalized", "length"),
)
"""Measures of confidence of Spiess et al. 2024 (arXiv 2402.02047), which version 1 has."""

CONFIDENCES = {
    "total_prob": "Total Prob",
    "avg_prob": "Avg Prob",
    "geometric_mean_prob": "Geometric Mean Prob",
    "min_prob": "Min Prob",
    "total_prob_incl_stop": "Total Prob with stop",
    "avg_prob_incl_stop": "Avg Prob with stop",
    "ask_tf": "Ask T/F",
    "ask_tf_normalized": "Ask T/F N",
    "verbalized": "Verbalize",
    "verbalized_base_rate": "Verbalize, else base rate",
    "length": "Length",
    "unskilled": "Unskilled",
}
"""Measures of confidence that version 2 has, in the order of tables, as they are printed.

Unskilled gives every sample the base rate: it is what others are compared with."""

RESCALERS = ("none", "platt", "temperature", "isotonic")


CLAIM_NULL_REASONS = (
    "no_task",
    "not_ingested",
    "no_verdict_claimed",
    "errata",
    "reference_fails",
    "several_settings",
    "no_generation",
    "other_text",
    "not_executed",
    "harness_fault",
    "canary_failed",
)
"""Why a claimed result is not compared with a verdict: the first that holds."""

FIT_NULL_REASONS = ("fit_failed", "n_lt_min")
"""Why a curve of rescaled scores is not there."""

EDITIONS = (1, 2)
"""Of counterfactual pairs, 1: the paper's mutations and cut; 2: the newest version of each."""

MAX_PAIRS = 1000
"""Most pairs per mutation and edition (Hooda et al. 2024, arXiv 2402.05980, Table 1)."""

LOGPROB_TOLERANCE = 1e-4
"""A log-probability this little above 0 is rounding and becomes 0; one further above is wrong."""

SENTINEL_LOGPROB = -9999.0
"""The number that vLLM writes for minus infinity."""

VERBALIZED_CALLS = 4
"""Times a stated probability is asked for, until one can be read (Spiess et al. 2024, appendix)."""

LEAST_CLUSTERS = 10
"""How many problems an interval needs; for fewer no method was found that holds."""

LEAST_OF_A_CLASS = 5
"""How many problems need a right answer, and a wrong one, for an interval of skill or AUROC."""

LEAST_DIFFERING = 5
"""How many problems must differ from the median one for an interval of a mean difference."""

N_FOLDS = 5
"""Folds in which rescaled scores are held out (Spiess et al. 2024, section 4.5)."""

ROWS_RESCALED = 40_000
"""How many rows the random splits of a calibration subject hold at most; at least one split."""

ENOUGH_ROWS, ENOUGH_SPLITS = 13_000, 35
"""Splits of so many rows are enough, or so many splits, whichever are more."""

MOST_SPLITS = 180
"""Into how many random splits the rows of a calibration subject are held out at most."""

DIAGRAM_SEED = 0
"""The split whose rescaled scores are drawn and get intervals."""
