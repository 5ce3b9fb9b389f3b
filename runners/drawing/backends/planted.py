"""A simulated language model whose truth is known: pass rate, diversity, confidence and faults.

Everything it does follows from a hash of its seed, name, task and sample index. So the same options
give the same generations on every machine. What is planted, and what each measure must then find,
is ``planted_truth``.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from ingest.answers.extract import fenced_v1
from ingest.tokens import Alternatives
from models.words import Style
from runners.drawing.backends import planted_texts as texts
from runners.drawing.backends.base import Backend, Completion, Failure, Request
from runners.drawing.backends.planted_judge import level_reply
from runners.drawing.backends.planted_truth import Truth, check, line, require_known

TELLS = "Do all that the planted code does"
TELLS_NOTHING = "Do something"
NOTES = "- Something is given, and something is wanted.\n"
SOLUTIONS = f"1. {TELLS}.\n2. {TELLS_NOTHING}.\n"
WRONG_LINE = "plantedWrongLine();"
NEXT_EDIT = "\n[old]\nx = 1\n"

BEFORE = "Here is the function:\n\n```python\n"
FENCE = "```"
AFTER = "```\nIt does what the docstring says.\n"
PROSE = "I am afraid that I cannot write this function.\n"
SCRIPT = "```javascript\nfunction f(x) { return x; }\n```\n"
STOP_TOKEN = "<|end|>"
LIES = {"logprob_nan": math.nan, "logprob_positive": 0.5}
REASONS = {"timeout": "timed out", "rate_limited": "answered with 429"}
OUTSIDE = 0.5
"""Probability of the tokens around the code of a chat answer, which no measure may count."""


class PlantedBackend(Backend):
    """Right answers are the reference, wrong ones plainly wrong; both carry a style."""

    simulated = True

    def __init__(self, lm: str, options: Mapping[str, Any]):
        require_known("option", options, sorted(field.name for field in fields(Truth)))
        self.planted = Truth(**options)
        check(self.planted)
        self.style = Style.SOLUTION if self.planted.chat else Style.COMPLETION
        self.lm = lm
        self.faults: Counter[str] = Counter()
        truth = asdict(self.planted)
        for name, usual in LATER.items():
            if truth[name] == usual:
                del truth[name]  # models without it are those they were before it could be
        self.truth = truth

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion | Failure]:
        """Answer each request at once."""
        for request in requests:
            fault = self._fault(request)
            if fault is not None and fault in REASONS:
                self.faults[fault] += 1
                yield Failure(request, "gave_up", f"planted: every attempt {REASONS[fault]}")
            else:
                yield _spoiled(self._answer(request, fault), fault)

    def pass_probability(self, task_id: str, sample_index: int = 0) -> float:
        """Return q, the probability that this sample of the task is right."""
        planted = self.planted
        shift = planted.spread * (2 * self._uniform(task_id, "difficulty") - 1)
        shift -= planted.drop if sample_index >= planted.drop_from else 0
        if planted.sample_spread:
            own = self._uniform(task_id, sample_index, "difficulty")
            shift += planted.sample_spread * (2 * own - 1)
        return min(1.0, max(0.0, planted.pass_rate + shift))

    def confidence(self, task_id: str, sample_index: int = 0) -> float:
        """Return c, the confidence the tokens of this sample state."""
        probability = self.pass_probability(task_id, sample_index)
        return line(probability, self.planted.slope, self.planted.overconfidence)

    def reflected(self, task_id: str, sample_index: int = 0) -> float:
        """Return c_r, the confidence that reflections on this sample state."""
        planted = self.planted
        slope, shift = planted.reflect_slope, planted.reflect_overconfidence
        return line(
            self.pass_probability(task_id, sample_index),
            planted.slope if slope is None else slope,
            planted.overconfidence if shift is None else shift,
        )

    def _answer(self, request: Request, fault: str | None) -> Completion:
        if request.planted in REPLIES:
            return REPLIES[request.planted](self, request)
        if fault == "no_code":
            return self._spelled(request, [(PROSE, None)])
        if fault == "wrong_language":
            return self._spelled(request, [(SCRIPT, None)])
        confidence = self.confidence(request.task_id, request.sample_index)
        text = TEXTS[request.planted](self, request, confidence)
        if not self.planted.chat or request.planted in BARE:
            return self._spelled(request, [(text, confidence)])
        code = text if request.planted in ALONE else _asked(request) + text
        return self._spelled(request, [(BEFORE, None), (code, confidence), (AFTER, None)])

    def _line(self, request: Request, confidence: float) -> str:
        """Return the one line that a repair asks for, right or wrong."""
        task, index = request.task_id, request.sample_index
        right = self._uniform(task, index, "right") < self.pass_probability(task, index)
        return (request.reference if right else WRONG_LINE) + "</fixed>"

    def _filling(self, request: Request, confidence: float) -> str:
        """Return the code of a hole, right or wrong, at its indentation: wrong code raises."""
        task, index = request.task_id, request.sample_index
        right = self._uniform(task, index, "right") < self.pass_probability(task, index)
        code = request.reference
        wrong = code[: len(code) - len(code.lstrip())] + texts.RAISES.rstrip()
        return (code if right else wrong) + "\n"

    def _rest(self, request: Request, confidence: float) -> str:
        """Return how the author of one side of a pair went on, or what never parses.

        Each side of each pair, and each sample of it, has a separate draw.
        """
        task, index = request.task_id, request.sample_index
        q = self.pass_probability(task, index)
        q -= self.planted.sensitivity.get(request.mutation or "", 0.0)
        right = self._uniform(task, index, request.variant_id, "right") < q
        # indented: a line in column 0 ends the function, and what is left may pass
        return request.reference if right else "    " + texts.UNPARSEABLE

    def _description(self, request: Request, confidence: float) -> str:
        """Return a description that tells or not, and quotes the code or not."""
        task, index = request.task_id, request.sample_index
        tells = self._uniform(task, index, "tells") < self.planted.telling
        quotes = self._uniform(task, index, "quotes") < self.planted.quoting
        quoted = f": {' '.join(request.reference.split())}" if quotes else "."
        return (TELLS if tells else TELLS_NOTHING) + quoted + "\n\n"

    def _notes(self, request: Request, confidence: float) -> str:
        """Return notes on a problem, which tell nothing."""
        return NOTES

    def _solutions(self, request: Request, confidence: float) -> str:
        """Return two possible solutions, one that tells and one that does not."""
        return SOLUTIONS

    def _choice(self, request: Request, confidence: float) -> str:
        """Return one of the two solutions."""
        tells = self._uniform(request.task_id, request.sample_index, "tells") < self.planted.telling
        return f"{TELLS if tells else TELLS_NOTHING}.\n"

    def _resynthesis(self, request: Request, confidence: float) -> str:
        """Return code right with chance q where a description tells, else with chance guess.

        Wrong code raises: where no test reads what a function returns, any value would pass.
        """
        right = self._comes_back(request)
        code = request.reference if right else texts.RAISES
        return "\n".join(line for line in code.split("\n") if line.strip()) + "\n\n"

    def _edit(self, request: Request, confidence: float) -> str:
        """Return new code right as often as a resynthesis; a completion then begins another."""
        code = request.reference if self._comes_back(request) else WRONG_LINE
        return f"{code}\n" + ("" if self.planted.chat else NEXT_EDIT)

    def _comes_back(self, request: Request) -> bool:
        """Return whether code written from a description is right."""
        task, index, parent = request.task_id, request.sample_index, request.parent_sample_index
        asked = _shown(request)
        q = self.pass_probability(task, index) if TELLS in asked else self.planted.guess
        return self._uniform(task, index, parent, "returns") < q

    def _body(self, request: Request, confidence: float) -> str:
        """Return a function body, right or wrong, in a style, and as long as it should be.

        It is right with chance q, or guess where a plan does not tell; worked examples add to q.
        """
        planted, task, index = self.planted, request.task_id, request.sample_index
        asked = _shown(request)
        q = self.pass_probability(task, index)
        if request.parent_generation_id is not None and TELLS not in asked:
            q = planted.guess
        if asked.count(FENCE) > 2:
            q += planted.example_gain
        right = self._uniform(task, index, "right") < q
        style = int(self._uniform(task, index, "style") * planted.n_styles)
        indent = texts.indentation(request.reference)
        wrong = None if right else self._wrong(task, index, indent)
        if texts.continues(_asked(request) if planted.chat else asked, request.reference):
            text = texts.line_ended(request.reference, wrong, style)
        else:
            start = "" if planted.chat else texts.begun(asked, request.reference)
            body = request.reference if wrong is None else indent + wrong
            text = start + texts.styled(body, style, indent)
        if planted.length_range is not None:
            shortest, longest = planted.length_range
            text = texts.padded(text, round(longest - confidence * (longest - shortest)), indent)
        return text

    def _spelled(self, request: Request, pieces: Sequence[tuple[str, float | None]]) -> Completion:
        """Return a text of pieces, those with a confidence spelled in tokens that state it."""
        tokens: list[str] = []
        logprobs: list[float] = []
        for text, confidence in pieces:
            found = texts.spelled(text)
            tokens += found
            logprobs += (
                [math.log(OUTSIDE)] * len(found)
                if confidence is None
                else self._logprobs(len(found), confidence)
            )
        if self.planted.stop_token:
            last = OUTSIDE if pieces[-1][1] is None else pieces[-1][1]
            tokens.append(STOP_TOKEN)
            logprobs.append(0.0 if self.planted.curve == "total_prob" else math.log(last))
        return _completion(request, "".join(text for text, _ in pieces), tokens, logprobs)

    def _logprobs(self, n: int, confidence: float) -> list[float]:
        """Return the tokens' log-probabilities: pairs about the mean, a last odd one upon it."""
        planted = self.planted
        if planted.curve == "total_prob":
            mean = math.log(confidence) / n if n else 0.0
            pair = [mean * (1 + planted.token_spread), mean * (1 - planted.token_spread)]
        else:
            mean = math.log(confidence)
            apart = planted.token_spread * min(confidence, 1 - confidence)
            pair = [math.log(confidence - apart), math.log(confidence + apart)]
        return pair * (n // 2) + [mean] * (n % 2)

    def _percentage(self, request: Request) -> Completion:
        parent, attempt = request.parent_sample_index or 0, request.sample_index
        share = self.reflected(request.task_id, parent)
        in_form = "Probability:" in request.prompt.rpartition("</answer>")[2]
        about = (request.task_id, parent, attempt, in_form)
        if self._uniform(*about, "unreadable") < self.planted.unreadable:
            forms: Sequence[str] = texts.UNREADABLE_IN_FORM if in_form else texts.UNREADABLE
        else:
            forms = (texts.STATED_IN_FORM,) if in_form else texts.STATED
        form = forms[int(self._uniform(*about, "form") * len(forms))]
        text = form.format(percent=100 * share, share=share, tenths=10 * share)
        tokens = texts.spelled(text)
        return _completion(request, text, tokens, [math.log(OUTSIDE)] * len(tokens))

    def _true_or_false(self, request: Request) -> Completion:
        share = self.reflected(request.task_id, request.parent_sample_index or 0)
        mass, usual = self.planted.answer_mass, self.planted.spelling
        first = {
            " TRUE": mass * usual * share,
            "true": mass * (1 - usual) * share,
            " FALSE": mass * usual * (1 - share),
            "False": mass * (1 - usual) * (1 - share),
            " Well": 1 - mass,
        }
        second = {".": 0.5, " TRUE": first[" TRUE"] / 2, " FALSE": first[" FALSE"] / 2}
        tops = [_alternatives(first), _alternatives(second)]
        tokens = [position[0][0] for position in tops]
        logprobs = [position[0][1] for position in tops]
        return _completion(request, "".join(tokens), tokens, logprobs, tops)

    def _level(self, request: Request) -> Completion:
        text = level_reply(request.prompt, request.sample_index, self.planted, self._uniform)
        tokens = texts.spelled(text)
        return _completion(request, text, tokens, [math.log(OUTSIDE)] * len(tokens))

    def _wrong(self, task: str, index: int, indent: str) -> str:
        """Return wrong code; code that is not indented is in no function and cannot return."""
        kind = self._uniform(task, index, "kind")
        for share, body in (
            (self.planted.error, texts.RAISES),
            (self.planted.endless, texts.ENDLESS),
            (self.planted.unparseable, texts.UNPARSEABLE),
        ):
            if kind < share:
                return body
            kind -= share
        return texts.WRONG if indent else texts.WRONG_PROGRAM

    def _fault(self, request: Request) -> str | None:
        if not self.planted.faults:
            return None
        about = (request.task_id, request.sample_index, request.parent_sample_index, request.kind)
        draw = self._uniform(*about, "fault")
        for fault, rate in sorted(self.planted.faults.items()):
            if draw < rate:
                return fault
            draw -= rate
        return None

    def _uniform(self, *parts: object) -> float:
        """Return a number in [0, 1) that depends on the seed, the lm and the parts alone."""
        text = "\x1f".join(map(str, (self.planted.seed, self.lm, *parts)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big") / 2**56


TEXTS = {
    "body": PlantedBackend._body,
    "line": PlantedBackend._line,
    "filling": PlantedBackend._filling,
    "rest": PlantedBackend._rest,
    "description": PlantedBackend._description,
    "notes": PlantedBackend._notes,
    "solutions": PlantedBackend._solutions,
    "choice": PlantedBackend._choice,
    "resynthesis": PlantedBackend._resynthesis,
    "edit": PlantedBackend._edit,
}
"""Forms of an answer that a task may name, each with what makes its text."""

BARE = {"line", "description", "notes", "solutions", "choice"}
"""Forms that are no program: a chat puts no fence around them."""

ALONE = {"resynthesis", "edit", "filling"}
"""Forms that a chat gives without the code that it was shown."""

LATER = {"sensitivity": {}, "telling": 1.0, "guess": 0.0, "quoting": 0.0, "example_gain": 0.0}
LATER |= dict.fromkeys(("judge_bias", "judge_noise", "judge_prose", "drop", "drop_from"), 0)
"""Options that came later, with the value that changes nothing."""

REPLIES = {
    "percentage": PlantedBackend._percentage,
    "true_or_false": PlantedBackend._true_or_false,
    "level": PlantedBackend._level,
}
"""Forms of a reply to a reflection or to a rating."""


def _shown(request: Request) -> str:
    """Return what a request shows last: a message, or the prompt to be continued."""
    return request.messages[-1][1] if request.messages else request.prompt


def _asked(request: Request) -> str:
    """Return the code a chat asks to complete: the block in its message, or all of it."""
    asked = _shown(request)
    if FENCE not in asked:
        return asked
    code = fenced_v1(asked, None).kept.text.rstrip("\n")
    return code if texts.continues(code, request.reference) else code + "\n"


def _completion(
    request: Request,
    text: str,
    tokens: Sequence[str],
    logprobs: Sequence[float],
    top_logprobs: Alternatives | None = None,
) -> Completion:
    return Completion(
        request=request,
        text=text,
        finish_reason="stop",
        n_prompt_tokens=len(texts.spelled(request.prompt)),
        n_completion_tokens=len(tokens),
        latency_s=0.0,
        cost_usd=0.0,
        tokens=tuple(tokens),
        logprobs=tuple(logprobs),
        top_logprobs=top_logprobs,
        cumulative_logprob=math.fsum(logprobs),
    )


def _spoiled(answer: Completion, fault: str | None) -> Completion:
    """Return the completion with what the fault does to it."""
    tokens, logprobs = list(answer.tokens or ()), list(answer.logprobs or ())
    if fault in ("truncated", "empty"):
        n = len(tokens) // 2 if fault == "truncated" else 0
        return replace(
            answer,
            text="".join(tokens[:n]),
            finish_reason="length" if n else "stop",
            n_completion_tokens=n,
            tokens=tuple(tokens[:n]),
            logprobs=tuple(logprobs[:n]),
            cumulative_logprob=None,
        )
    if fault == "logprob_count":
        return replace(answer, logprobs=tuple(logprobs[:-1]))
    if fault in LIES:
        return replace(answer, logprobs=(LIES[fault], *logprobs[1:]))
    return answer


def _alternatives(probabilities: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return those with any probability as (token, logprob), best first."""
    found = [(token, math.log(p)) for token, p in probabilities.items() if p > 0]
    return sorted(found, key=lambda pair: -pair[1])
