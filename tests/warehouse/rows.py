"""Small rows for warehouse tests."""

from models.keys import content_key, text_key
from models.tables import Generation, LanguageModel, TokenLogprob


def language_model(name: str, run_id: str) -> LanguageModel:
    return LanguageModel(
        lm_id=content_key(name),
        lm=name,
        revision="",
        simulated=True,
        n_parameters=70_000_000_000,
        planted=None,
        run_id=run_id,
    )


def generation(index: int, text: str, run_id: str) -> Generation:
    return Generation(
        generation_id=content_key("generation", index),
        lm_id=content_key("lm"),
        problem_id=content_key("problem"),
        variant_id=content_key("variant"),
        setting_id=content_key("setting"),
        sample_index=index,
        parent_generation_id=None,
        source="test",
        text_key=text_key(text),
        finish_reason=None,
        n_prompt_tokens=None,
        n_completion_tokens=None,
        latency_s=None,
        cost_usd=None,
        claimed_pass=None,
        run_id=run_id,
    )


def logprobs(index: int, values: list[float], run_id: str, n_tokens: int | None = None):
    return TokenLogprob(
        generation_id=content_key("generation", index),
        tokens=["t"] * (len(values) if n_tokens is None else n_tokens),
        logprobs=values,
        kept=[True] * len(values),
        top_tokens=None,
        top_logprobs=None,
        cumulative_logprob=None,
        run_id=run_id,
    )
