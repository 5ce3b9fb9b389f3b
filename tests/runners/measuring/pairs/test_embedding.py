"""Encoders by path: a small one that is saved here, and folders that are none."""

import json
from pathlib import Path

import numpy as np
import pytest

from runners.measuring.pairs.base import Material, NoFeature
from runners.measuring.pairs.embedding import MAX_CHARACTERS, Embedding
from runners.measuring.similarity.syntax import without_comments
from runners.specs import SimilaritySpec
from tests.runners.measuring.pairs.encoders import saved_encoder, scorer_of
from warehouse.errors import BadInput


def test_scores_are_cosines_of_the_encoders_vectors(tmp_path: Path) -> None:
    scorer = scorer_of(saved_encoder(tmp_path / "encoder"))
    sources = ["def f ( a ) : # one", "return a + b", "return b + a", "- - -"]
    features = scorer.features(sources)
    from model2vec import StaticModel

    model = StaticModel.from_pretrained(tmp_path / "encoder", force_download=False)
    expected = model.encode(["def f ( a ) :", *sources[1:]]).astype(float)
    assert np.allclose(features, expected, atol=1e-6)
    first, second = np.array([0, 1, 3, 2]), np.array([1, 2, 0, 2])
    found = scorer.compare(features, first, second)
    for row, (a, b) in enumerate(zip(first, second, strict=True)):
        lengths = np.linalg.norm(expected[a]) * np.linalg.norm(expected[b])
        assert found[row] == pytest.approx(expected[a] @ expected[b] / lengths, abs=1e-6)
    assert found[1] == pytest.approx(1)  # a bag of words does not see their order
    one_by_one = [scorer.features([source])[0] for source in sources]
    assert np.allclose(one_by_one, features, atol=1e-6)


def test_the_files_decide_who_the_encoder_is(tmp_path: Path) -> None:
    one = scorer_of(saved_encoder(tmp_path / "one"))
    copy = scorer_of(saved_encoder(tmp_path / "copy"))
    other = scorer_of(saved_encoder(tmp_path / "other", seed=1))
    assert one.scorer_id == copy.scorer_id != other.scorer_id
    assert (one.name, copy.name) == ("one", "copy")


def test_what_has_no_vector_has_a_reason(tmp_path: Path) -> None:
    scorer = scorer_of(saved_encoder(tmp_path / "encoder"))
    found = scorer.features(["", "# nothing\n'text'\n", "a" * (MAX_CHARACTERS + 1)])
    assert found == [NoFeature(reason) for reason in ("empty_code", "empty_code", "too_large")]


def test_vectors_that_are_no_numbers_have_a_reason(tmp_path: Path) -> None:
    class Broken:
        def encode(self, texts: list[str]) -> list[list[float]]:
            return [[np.nan, 1.0] if "a" in text else [0.0, 0.0] for text in texts]

    scorer = scorer_of(saved_encoder(tmp_path / "encoder"))
    scorer.encoder = Broken()
    assert scorer.features(["a", "b"]) == [NoFeature("not_finite"), NoFeature("no_known_token")]


def test_what_a_library_says_is_one_line(tmp_path: Path) -> None:
    class Talkative:
        def encode(self, texts: list[str]) -> list[list[float]]:
            raise ValueError("one\n\ntwo " + "and so on " * 100)

    scorer = scorer_of(saved_encoder(tmp_path / "encoder"))
    scorer.encoder = Talkative()
    with pytest.raises(BadInput, match=r"ValueError: one two and .*: save the encoder") as caught:
        scorer.features(["a"])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_an_encoder_without_python_is_refused(tmp_path: Path) -> None:
    from model2vec import StaticModel

    folder = saved_encoder(tmp_path / "encoder")
    model = StaticModel.from_pretrained(folder, force_download=False)
    StaticModel(np.ones_like(model.embedding), model.tokenizer).save_pretrained(folder)
    with pytest.raises(BadInput, match="cannot tell def from return"):
        scorer_of(folder).features(["a"])


def test_vectors_of_another_dimension_are_an_error(tmp_path: Path) -> None:
    scorer = scorer_of(saved_encoder(tmp_path / "encoder"))
    with pytest.raises(BadInput, match=r"its vectors differ in length \(\[2, 3\]\)"):
        scorer.compare([np.ones(2), np.ones(3)], np.array([0]), np.array([1]))


def test_very_small_and_very_large_numbers_have_their_cosine(tmp_path: Path) -> None:
    scorer = scorer_of(saved_encoder(tmp_path / "encoder"))
    vectors = [np.array(each) for each in ([1e-300, 1e-300], [1e-300, -1e-300], [1e200, 1.0])]
    found = scorer.compare(vectors, np.array([0, 0]), np.array([1, 2]))
    assert found == pytest.approx([0, 0.5**0.5])


def test_without_an_encoder_there_is_no_scorer() -> None:
    assert list(Embedding.scorers(Material())) == []


def test_a_folder_that_is_no_encoder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such folder: give --encoder"):
        scorer_of(tmp_path / "missing")
    with pytest.raises(BadInput, match="not a known layout"):
        scorer_of(tmp_path)
    (tmp_path / "config.json").write_text("[1]")
    with pytest.raises(BadInput, match="not a known layout"):
        scorer_of(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "model2vec"}))
    with pytest.raises(BadInput, match=r"model2vec .* cannot use it"):
        scorer_of(tmp_path).features(["a"])
    saved = saved_encoder(tmp_path / "cut")
    weights = saved / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    with pytest.raises(BadInput, match=r"cannot use it: .*: save the encoder again"):
        scorer_of(saved).features(["a"])
    with pytest.raises(BadInput, match=r"encoder: .* is no folder"):
        SimilaritySpec(encoder=tmp_path / "missing")


def test_comments_and_bare_strings_go_and_nothing_else() -> None:
    code = "def f(a):\n    '''Doc.'''\n    b = 'kept'  # gone\n    '''gone'''\n    return b\n"
    wanted = "def f(a):\n    \n    b = 'kept'  \n    \n    return b\n"
    assert without_comments(code) == wanted
    assert without_comments("é = '# no'  # ü\n") == "é = '# no'  \n"
    assert without_comments("x = (") == "x = ("
