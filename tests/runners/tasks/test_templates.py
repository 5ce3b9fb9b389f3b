"""Prompt files: what was sent once is never reworded, and user code passes through untouched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.tasks.templates import FOLDER, load, names

# A line here is for ever: a template that has to change is a new file with a new number.
KEYS = {
    "ask_tf_v1": "afdd17f774c7a0e48c5048cec650312f",
    "counterfactual_chat_v1": "a6b9b7ff5bebd3ac453355cbca57934f",
    "description_chat_v2": "222df4bdb6c33fa923233ceb0dcc7c9f",
    "description_v1": "a04cc89bab17d468593f237a510ac078",
    "edit_chat_v1": "27578a75b91d5c3a8aab8e2747e3136a",
    "edit_description_v1": "da5cb730a2a3ff2c9ea80f79e3381861",
    "edit_v1": "9caaff1c84b82899163bbd5037a4f741",
    "function_completion_chat_file_v1": "ea6f401f1e2540784b4459c9c16b5323",
    "function_completion_chat_v1": "4979c80775bac91c42a2bc353fe1f996",
    "function_completion_v1": "aa9c10911df50132a4ea42b089d31594",
    "line_completion_chat_file_v1": "f508a3a119510c5221b436c793542fd2",
    "line_completion_chat_file_v2": "b85560607a63bdd373866cf80811c490",
    "line_completion_chat_no_docstring_v1": "cce520845c2c14081002b229c66a3307",
    "line_completion_chat_v1": "8c19c5d29c37666238a505251bbdd83a",
    "line_completion_file_v2": "febfe1e3a6e94c53ab55f3ce3feec6be",
    "line_completion_no_docstring_v1": "b4127c25c037699521d55a9d5496c363",
    "line_completion_v1": "e6f0dc9d5359905e20101be912844dfe",
    "pair_judge_v1": "a7d976d566980ae732f81409ccc6f293",
    "pair_judge_v2": "98f3352c1a9dde8921964c11507d7ec6",
    "plan_choice_repair_v1": "794292a1da1e16317ae5025583164d66",
    "plan_choice_v1": "6734ed4250259e1a586d89042c72744a",
    "plan_reflection_v1": "d22022effd4d36b1b17e7b63e24c3150",
    "plan_solutions_repair_v1": "cf2b47cf15bd86e0ee779069a71eb671",
    "plan_solutions_v1": "0f5455dfd80604cd72083baaee64e5e5",
    "repair_v1": "21f0091181a2dedb275933101159e395",
    "resynthesis_chat_v1": "89a9f903fd5f4419eefe4a2a7363da5f",
    "resynthesis_chat_v2": "9472b076abd338734a307a5ebc66fde1",
    "resynthesis_v1": "34c4daf558e26139e7e371b0b1fe1749",
    "synthesis_chat_few_shot_cot_v1": "8d636c2f3c54fa182b43ce7a1bb9347f",
    "synthesis_chat_planning_v1": "814de27507b3c8dd5e5b6a5e6e8a1ed1",
    "synthesis_chat_v1": "87597813edc05812e9811047aaca150a",
    "synthesis_program_chat_few_shot_cot_v1": "8a022228ec76f119bd55b9fae285f280",
    "synthesis_program_chat_planning_v1": "6499a307449288eda6c0fee04b26d7e5",
    "synthesis_program_chat_v1": "bc57faaed13a8011f8ab0624ecd3ebe0",
    "verbalized_v1": "80b053b0fc7ef34eec745c487416c93d",
    "verbalized_v2": "ca3f01956cbdd0ddc172b21758869536",
}
PLACES = {
    "ask_tf_v1": {"task", "answer"},
    "counterfactual_chat_v1": {"task"},
    "description_chat_v2": {"file_part"},
    "description_v1": {"code"},
    "edit_chat_v1": {"old", "description"},
    "edit_description_v1": {"old", "new"},
    "edit_v1": {"old", "description"},
    "function_completion_chat_file_v1": {"file"},
    "function_completion_chat_v1": {"function_with_imports"},
    "function_completion_v1": {"function_with_imports"},
    "line_completion_chat_file_v1": {"file"},
    "line_completion_chat_file_v2": {"file_part"},
    "line_completion_chat_no_docstring_v1": {"function_without_docstring"},
    "line_completion_chat_v1": {"function"},
    "line_completion_file_v2": {"file_part"},
    "line_completion_no_docstring_v1": {"function_without_docstring"},
    "line_completion_v1": {"function"},
    "pair_judge_v1": {"first", "second"},
    "pair_judge_v2": {"first", "second"},
    "plan_choice_repair_v1": {"task", "plan_solutions_v1", "plan_choice_v1"},
    "plan_choice_v1": {"task", "plan_reflection_v1", "plan_solutions_v1"},
    "plan_reflection_v1": {"task"},
    "plan_solutions_repair_v1": {"task", "plan_reflection_v1", "plan_solutions_v1"},
    "plan_solutions_v1": {"task", "plan_reflection_v1"},
    "repair_v1": {"before", "buggy", "after"},
    "resynthesis_chat_v1": {"code"},
    "resynthesis_chat_v2": {"file_part"},
    "resynthesis_v1": {"code"},
    "synthesis_chat_few_shot_cot_v1": {"task"},
    "synthesis_chat_planning_v1": {"task", "plan_reflection_v1", "plan_choice_v1"},
    "synthesis_chat_v1": {"task"},
    "synthesis_program_chat_few_shot_cot_v1": {"task"},
    "synthesis_program_chat_planning_v1": {"task", "plan_reflection_v1", "plan_choice_v1"},
    "synthesis_program_chat_v1": {"task"},
    "verbalized_v1": {"task", "answer"},
    "verbalized_v2": {"task", "answer"},
}


def test_no_template_was_reworded() -> None:
    assert {name: load(name).key for name in names()} == KEYS


def test_every_file_is_a_template_with_the_places_its_users_fill() -> None:
    assert {name: set(load(name).places) for name in names()} == PLACES
    assert {path.suffix for path in FOLDER.iterdir()} == {".txt"}


@given(task=st.text(), answer=st.text())
def test_what_is_filled_in_is_not_read_again(task: str, answer: str) -> None:
    template = load("ask_tf_v1")
    before, rest = template.text.split("{{task}}")
    between, after = rest.split("{{answer}}")
    expected = before + task + between + answer + after.removesuffix("\n")
    assert template.render(task=task, answer=answer) == expected


def test_braces_and_places_in_code_stay() -> None:
    code = "d = {'{{answer}}': f'{x}', '{task}': \"%s\"}\\1"
    assert code in load("synthesis_chat_v1").render(task=code)
    both = load("verbalized_v1").render(task="{{answer}}", answer="yes")
    assert both.count("{{answer}}") == 1


def test_a_prompt_ends_where_the_answer_begins() -> None:
    for name, places in PLACES.items():
        prompt = load(name).render(**dict.fromkeys(places, "x"))
        assert prompt == prompt.rstrip()
        assert load(name).messages(**dict.fromkeys(places, "x")) == (("user", prompt),)


def test_missing_and_unknown_places_and_names_are_refused() -> None:
    with pytest.raises(ValueError, match="ask_tf_v1 takes answer, task, not task"):
        load("ask_tf_v1").render(task="x")
    with pytest.raises(ValueError, match="not answer, reply, task"):
        load("ask_tf_v1").render(task="x", answer="y", reply="z")
