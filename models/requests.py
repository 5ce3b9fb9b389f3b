"""Tables of endpoints: requests sent, capabilities found, and issues."""

from sqlmodel import Field

from models.base import Row


class Endpoint(Row, table=True):
    """One row per address, protocol and served language model."""

    endpoint_id: str = Field(primary_key=True, description="Hash of base_url, api and served_lm.")
    base_url: str = Field(description="Scheme, host, port and path; never a user name or a key.")
    api: str = Field(description="completions, chat, or vllm (in process).")
    served_lm: str = Field(description="The name the endpoint knows the language model by.")
    run_id: str = Field(description="The run that first spoke to it.")


class EndpointCapability(Row, table=True):
    """One row per endpoint, probing run and capability; the newest run counts."""

    capability_id: str = Field(primary_key=True, description="Hash of endpoint, run, capability.")
    endpoint_id: str = Field(description="The endpoint.")
    capability: str = Field(description="n, seed, stop, logprobs, top_logprobs, prompt_list, echo.")
    supported: bool | None = Field(description="Found by a test request; NULL when inconclusive.")
    detail: str = Field(description="What was seen.")
    run_id: str = Field(description="The run that probed.")


class GenerationRequest(Row, table=True):
    """One row per generation drawn by us: the prompt as sent and what sending it took."""

    generation_id: str = Field(primary_key=True, description="The generation.")
    template: str = Field(description="Name of the versioned prompt file, or original.")
    template_key: str = Field(description="Hash of the prompt file; of nothing for original.")
    prompt_key: str = Field(description="Hash of the prompt or messages as sent.")
    endpoint_id: str | None = Field(description="The endpoint; NULL for planted and replay.")
    n_attempts: int = Field(description="HTTP attempts until the answer came; 1 when none failed.")
    run_id: str = Field(description="The run that drew it.")


class GenerationIssue(Row, table=True):
    """One row per generation, run and thing wrong with it: asked for, drawn or imported."""

    issue_id: str = Field(
        primary_key=True, description="Hash of generation_id, code and, for those drawn, run_id."
    )
    generation_id: str = Field(description="The generation as it is or would be keyed.")
    lm_id: str = Field(description="The language model.")
    setting_id: str = Field(description="How it was sampled.")
    problem_id: str = Field(description="The problem.")
    sample_index: int = Field(description="From 0.")
    code: str = Field(description="What is wrong: see models.words.GENERATION_ISSUES.")
    detail: str = Field(description="One line for people.")
    lost: bool = Field(description="True where no generation came of it in that run.")
    run_id: str = Field(description="The run that met it.")
