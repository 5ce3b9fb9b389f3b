"""The options of the openai backend: an address, what to ask for, and how hard to press."""

import os
import types
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args
from urllib.parse import SplitResult, urlsplit

from runners.drawing.backends.base import API_STYLES
from warehouse.errors import BadInput, known_names

KEY_VARIABLE = "OPENAI_API_KEY"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST = 100_000  # of requests at once, in a call, or of attempts


@dataclass(frozen=True)
class Options:
    """What can be said with ``-o NAME=VALUE``.

    Where: base_url (such as http://127.0.0.1:8000/v1), api (completions or chat), served_lm (the
    server's name of the language model; the --lm by default), api_key_env (environment variable
    that holds the key; empty: the server needs none), api_key_file.

    What: logprobs (unset: where the server gives them; true: or else an error; false: none),
    top_logprobs (alternatives per token), n_per_call (samples per request; unset: 8 where the
    server takes n), prompts_per_call (prompts per request, api completions), token_limit (the
    field that bounds an answer: max_tokens or max_completion_tokens), probe (ask again what the
    server can do).

    How hard: concurrency, requests_per_min, tokens_per_min, timeout_s (one attempt),
    request_deadline_s (one request with its retries), total_deadline_s (all of one template),
    give_up_after_s (the run ends when the server has answered nothing for so long), max_attempts,
    max_cost_usd with usd_per_million_prompt_tokens and usd_per_million_completion_tokens.
    """

    base_url: str
    api: str = "completions"
    served_lm: str = ""
    api_key_env: str | None = None
    api_key_file: str | None = None
    logprobs: bool | None = None
    top_logprobs: int = 0
    n_per_call: int | None = None
    prompts_per_call: int = 1
    token_limit: str = "max_tokens"
    probe: bool = False
    concurrency: int = 16
    requests_per_min: float | None = None
    tokens_per_min: float | None = None
    timeout_s: float = 120.0
    request_deadline_s: float = 900.0
    total_deadline_s: float | None = None
    give_up_after_s: float = 60.0
    max_attempts: int = 10
    max_cost_usd: float | None = None
    usd_per_million_prompt_tokens: float | None = None
    usd_per_million_completion_tokens: float | None = None


def read_options(values: Mapping[str, Any]) -> Options:
    """Return the options; raises BadInput naming the one that does not fit."""
    known = {field.name: field.type for field in fields(Options)}
    for name, value in values.items():
        if name not in known:
            there = known_names(name, sorted(known))
            raise BadInput(f"openai backend: no option {name!r}{there}")
        if not _fits(value, known[name]):
            raise BadInput(
                f"openai backend: {name} must be {_kind(name, known[name])}, not {value!r}"
            )
    if "base_url" not in values:
        raise BadInput("openai backend: the option base_url is missing")
    options = Options(**values)
    _check(options)
    return options


def read_key(options: Options) -> tuple[str | None, str]:
    """Return the key, None where none is needed, and in words what is wrong with it, if anything.

    Without api_key_env or api_key_file the key is OPENAI_API_KEY, and a server on this machine
    needs none.
    """
    if options.api_key_file is not None:
        try:
            key = Path(options.api_key_file).expanduser().read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a text"
            return None, f"no key: {options.api_key_file}: {reason}"
        return (key, "") if key else (None, f"no key: {options.api_key_file} is empty")
    if options.api_key_env == "":
        return None, ""
    variable = options.api_key_env or KEY_VARIABLE
    key = os.environ.get(variable, "").strip()
    if key:
        return key, ""
    if options.api_key_env is None and _address(options.base_url).hostname in LOOPBACK:
        return None, ""
    return None, (
        f"no key: the environment variable {variable} is not set (api_key_env= says that the "
        "server needs none)"
    )


def _fits(value: Any, kind: Any) -> bool:
    allowed = get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    if isinstance(value, bool):
        return bool in allowed
    return isinstance(value, tuple(allowed)) or (isinstance(value, int) and float in allowed)


def _kind(name: str, kind: Any) -> str:
    """Return in words what an option takes."""
    allowed = get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    if float in allowed:
        return "a number of seconds" if name.endswith("_s") else "a number"
    if int in allowed:
        return "a whole number"
    return "true or false" if bool in allowed else "a text"


def _check(options: Options) -> None:
    parts = _address(options.base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput("openai backend: base_url is not an http address")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise BadInput(
            "openai backend: base_url is scheme, host, port and path alone: a key comes from the "
            "environment (api_key_env) or a file (api_key_file)"
        )
    for name, choices in (
        ("api", tuple(API_STYLES)),
        ("token_limit", ("max_tokens", "max_completion_tokens")),
    ):
        if getattr(options, name) not in choices:
            raise BadInput(f"openai backend: {name} is one of {', '.join(choices)}")
    for name in ("concurrency", "prompts_per_call", "n_per_call", "max_attempts"):
        value = getattr(options, name)
        if value is not None and not 1 <= value <= MOST:
            raise BadInput(f"openai backend: {name} must be from 1 to {MOST}, not {value}")
    for name in (
        *("requests_per_min", "tokens_per_min", "timeout_s", "request_deadline_s"),
        *("total_deadline_s", "give_up_after_s", "max_cost_usd"),
    ):
        value = getattr(options, name)
        if value is not None and not value > 0:
            raise BadInput(f"openai backend: {name} must be above 0, not {value}")
    if options.top_logprobs < 0 or (options.top_logprobs and options.logprobs is False):
        raise BadInput("openai backend: top_logprobs needs log-probabilities, and is not negative")
    if options.prompts_per_call > 1 and options.api == "chat":
        raise BadInput("openai backend: a chat takes one prompt per request")
    prices = (options.usd_per_million_prompt_tokens, options.usd_per_million_completion_tokens)
    if any(price is not None and not price >= 0 for price in prices):
        raise BadInput("openai backend: a price is not negative")
    if options.max_cost_usd is not None and None in prices:
        raise BadInput(
            "openai backend: max_cost_usd needs usd_per_million_prompt_tokens and "
            "usd_per_million_completion_tokens"
        )


def _address(base_url: str) -> SplitResult:
    """Return an address in parts; raises BadInput where its host or port is none."""
    try:
        parts = urlsplit(base_url)
        parts.port  # noqa: B018 - a port out of range raises
    except ValueError as error:
        raise BadInput(f"openai backend: base_url is not an http address: {error}") from error
    return parts
