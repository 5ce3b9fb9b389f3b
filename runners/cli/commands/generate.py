"""``assay generate``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import as_json, backend_options, given, no_progress, option
from runners.drawing.backends import BACKENDS
from runners.specs import GenerateSpec

add = partial(option, GenerateSpec)


@click.command(
    epilog=f"""\b
Examples:
  assay generate --backend planted --lm coin --dataset starter -n 10 -o pass_rate=0.5
  assay generate --backend planted --lm mender --dataset defects4j --prompt repair_v1 -n 1
  assay generate --backend openai --lm Qwen2.5-Coder-7B --dataset humaneval -n 10
      --temperature 0.8 --max-tokens 500 -o base_url=http://127.0.0.1:8000/v1
  assay generate --backend openai --lm gpt-x --dataset mbpp -n 1 --temperature 0
      --max-tokens 800 --prompt synthesis_chat_v1 -o base_url=https://api.openai.com/v1
      -o api=chat -o max_cost_usd=5 -o usd_per_million_prompt_tokens=0.5
      -o usd_per_million_completion_tokens=1.5
  assay generate --backend planted --lm coin --dataset starter -n 10 --temperature 0.2
      --prompt planning -o chat=true
  assay generate --backend planted --lm coin --dataset starter -n 10 --temperature 0.2
      --prompt few_shot_cot -o chat=true
  assay generate --backend planted --lm coin --dataset starter -n 3 --task description
  assay generate --backend planted --lm coin --dataset starter -n 1 --task resynthesis
  assay generate --backend openai --lm StarCoder2-7B --dataset humaneval -n 10
      --task counterfactual --temperature 0.8 --max-tokens 300
      -o base_url=http://127.0.0.1:8000/v1

\b
Options of openai (docs/backends.md says more):
  where     base_url, api (completions or chat), served_lm (the server's name, if it is
            not --lm), api_key_env (default OPENAI_API_KEY; empty: the server needs no
            key), api_key_file
  what      logprobs (unset: where the server gives them; true: or fail; false: none),
            top_logprobs, n_per_call, prompts_per_call, token_limit, probe
  how hard  concurrency, requests_per_min, tokens_per_min, timeout_s,
            request_deadline_s, total_deadline_s, give_up_after_s (60: the run ends when the
            server answers nothing for so long), max_attempts, max_cost_usd with
            usd_per_million_prompt_tokens and usd_per_million_completion_tokens

\b
Counterfactual completion shows both sides of each pair that assay mutate made and
proved, up to the cut. Unless the temperature is 0 the original side is drawn twice as
often: the difference between the two halves of its samples measures the noise.

\b
A round trip takes two calls. The task description asks what the code of each problem
does: the body of a function, or a region of a project. The task resynthesis writes that
code again from each description that --described-by gave, -n times, and a baseline
without one. assay execute then judges the programs. Edits take the tasks
edit_description and edit, and nothing is executed.

\b
A prompting strategy (docs/similarity.md) has one prompt template for functions and one
for whole programs; --prompt takes the one for the dataset's problems. vanilla asks for
the program alone. few_shot_cot shows three worked examples first. planning asks four
times for each sample, with the same sampling parameters: for notes, possible solutions,
the choice of one, and the program. The command asks for missing notes, solutions and
choices first. A sample whose answer to one of these is empty gets no program.

\b
A sample that could not be drawn has a row that says why. The next call tries it again,
but not with --more; the exit code is 1.

\b
Backends: {", ".join(BACKENDS)}
"""
)
@add("--backend", help="How the language model is reached (docs/backends.md).")
@add("--lm", help="Name of the language model, as printed.")
@add("--dataset", help="The ingested dataset to be solved.")
@add("-n", "--samples", "n", help="Samples per problem; resynthesis, edit: per description.")
@add("--more", help="Draw -n samples beyond those stored, as one night (docs/nights.md).")
@add("--revision", help="Revision or date of the language model.")
@add("--temperature", help="Sampling temperature.")
@add("--top-p", help="Sample from the likeliest tokens whose probabilities add up to this.")
@add("--max-tokens", help="Most tokens of an answer.")
@add("--stop", metavar="TEXT", help="A stop string; may be repeated.")
@add("--seed", help="Sampling seed.")
@add(
    "--prompt",
    metavar="NAME",
    help="A strategy, a prompt template, or original for the problem's own prompt. Default: "
    "repair_v1 for "
    "repairs; counterfactual_chat_v1 for counterfactual chats; description_v1 and resynthesis_v1 "
    "(chats: resynthesis_chat_v1) for round trips; edit_description_v1 and edit_v1 (chats: "
    "edit_chat_v1) for edits; line_completion_v1 (chats: line_completion_chat_v1) for line "
    "completion; function_completion_v1 (chats: function_completion_chat_v1) for functions of "
    "projects; plan_reflection_v1, plan_solutions_v1 and plan_choice_v1 for plans; "
    "else original.",
)
@add(
    "--truncate",
    metavar="RULE",
    help="Which part of an answer is kept; the first rule of each list is the default. "
    "Completions: function_end_v2, function_end_v1, stop, whole. Completions of a prompt that "
    "opens no function: module_end_v1, stop, whole. Whole programs: whole, stop. Chats: fenced_v1, "
    "whole. Repairs: fixed_line_v1. Counterfactual completions: cut_end_v1, whole; chats: "
    "fenced_cut_v1. Descriptions: stop, whole; chats: whole. Resynthesis: hole_lines_v1; chats: "
    "hole_block_v1. Line completion: first_line_v1; chats: block_line_v1. Functions of "
    "projects: function_end_v2, function_end_v1; chats: block_body_v1.",
)
@add("--task", help="What is asked. Default: the task of the dataset.")
@add("--mutation", "mutations", help="Counterfactual: only this mutation; may be repeated.")
@add(
    "--edition",
    "editions",
    help="Counterfactual: pairs by the paper's rules (1) or the newest (2); both unless named.",
)
@add("--max-pairs", help="Counterfactual: at most so many pairs per mutation and edition.")
@add("--pair-seed", help="Counterfactual: seed by which they are drawn.")
@add(
    "--described-by",
    metavar="LM",
    help="Resynthesis, edit: the language model whose descriptions, under every setting, are "
    "turned back into code. Default: --lm.",
)
@backend_options
@no_progress
@as_json
def command(progress: bool, as_json: bool, **options: Any) -> int:
    """Draw samples from a language model: only those that are not in the warehouse yet."""
    from runners.cli.reports import failed_by_loss, print_reports
    from runners.steps.generate import generate

    spec = given(GenerateSpec, options)
    report = generate(spec, progress=progress)
    print_reports(
        [(f"generate {spec.lm} on {spec.dataset}", report)],
        as_json=as_json,
        next_step="assay execute",
    )
    return failed_by_loss("samples", vars(report))
