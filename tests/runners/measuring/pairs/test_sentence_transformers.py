"""Folders of sentence-transformers: a small random BERT, whole and damaged."""

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runners.measuring.pairs.base import NoFeature
from tests.runners.measuring.pairs.berts import saved_bert
from tests.runners.measuring.pairs.encoders import WORDS, scorer_of
from warehouse.errors import BadInput

pytest.importorskip(
    "sentence_transformers",
    reason="sentence-transformers is not installed: pip install 'assay[encoder]'",
)
pytestmark = pytest.mark.long(seconds=30)

SOURCES = ["def f ( a ) :\n  return a + b  # one", "return a - b", "a", "- - - + f = b"]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved_bert(tmp_path_factory.mktemp("encoders") / "bert")


@pytest.fixture
def copy(bert: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bert, tmp_path / "copy"))


def with_weights(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    from safetensors.numpy import load_file, save_file

    path = folder / "model.safetensors"
    weights = {name: values.copy() for name, values in load_file(path).items()}
    save_file(change(weights), path, metadata={"format": "pt"})


def test_scores_are_cosines_of_the_encoders_vectors(
    bert: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("nothing is downloaded")

    from transformers.utils import logging

    logging.enable_progress_bar()  # as in a new process
    logging.set_verbosity_warning()
    monkeypatch.setattr(socket.socket, "connect", refused)
    scorer = scorer_of(bert)
    assert scorer.library.startswith("sentence-transformers ")
    features = scorer.features(SOURCES)
    assert capfd.readouterr() == ("", "")

    from sentence_transformers import SentenceTransformer

    texts = ["def f ( a ) :\n  return a + b", *SOURCES[1:]]
    expected = SentenceTransformer(str(bert), device="cpu").encode(texts).astype(float)
    assert expected.shape == (4, 16)
    assert np.allclose(features, expected, atol=1e-6)
    (found,) = scorer.compare(features, np.array([0]), np.array([3]))
    lengths = np.linalg.norm(expected[0]) * np.linalg.norm(expected[3])
    assert found == pytest.approx(expected[0] @ expected[3] / lengths, abs=1e-6)
    assert found < 0.999


def test_a_command_that_uses_an_encoder_says_nothing_else(bert: Path) -> None:
    code = (
        "import sys; from runners.cli import main as m; "
        "from runners.measuring.pairs.embedding import Embedding; from pathlib import Path; "
        "m.run = lambda arguments: len(Embedding(Path(arguments[0])).features(['a'])) - 1; m.main()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(bert)], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_a_text_has_one_vector_in_every_batch(bert: Path) -> None:
    scorer = scorer_of(bert)
    sources = [f"return {'a + ' * n}b" for n in range(80)]  # more than a batch; some are cut
    features = scorer.features(sources)
    one_by_one = [scorer.features([source])[0] for source in sources]
    turned = scorer.features(sources[::-1])[::-1]
    assert np.abs(np.array(features) - one_by_one).max() < 1e-6
    assert np.abs(np.array(features) - turned).max() < 1e-6
    assert np.abs(features[0] - features[5]).max() > 1e-3
    assert np.allclose(features[40], features[79], atol=1e-6)  # the same 64 tokens: the rest is cut


def test_what_has_no_vector_has_a_reason(copy: Path) -> None:
    def spoilt(weights: dict[str, Any]) -> dict[str, Any]:
        (name,) = (name for name in weights if name.endswith("word_embeddings.weight"))
        weights[name][-5] = np.nan  # the fifth word from the end
        return weights

    with_weights(copy, spoilt)
    scorer = scorer_of(copy)
    found = scorer.features(["", " # a", f"a {WORDS[-5]} b", "a + b", "\ud800 \0"])
    assert found[:3] == [NoFeature(reason) for reason in ("empty_code", "empty_code", "not_finite")]
    assert len(found[3]) == len(found[4]) == 16


def test_the_files_decide_who_the_encoder_is(bert: Path, copy: Path, tmp_path: Path) -> None:
    (copy / "README.md").write_text("other words")
    assert scorer_of(copy).scorer_id == scorer_of(bert).scorer_id
    other = saved_bert(tmp_path / "other", seed=1)
    wider = saved_bert(tmp_path / "wider", dimension=32)
    assert len({scorer_of(each).scorer_id for each in (bert, other, wider)}) == 3
    assert len(scorer_of(wider).features(["a"])[0]) == 32


def test_missing_weights_are_not_made_up(copy: Path) -> None:
    with_weights(
        copy, lambda weights: {name: weights[name] for name in weights if "layer.1." not in name}
    )
    with pytest.raises(BadInput, match="weights are missing from its files"):
        scorer_of(copy).features(["a"])


def test_weights_that_no_vector_needs_may_be_missing(bert: Path, copy: Path) -> None:
    with_weights(
        copy, lambda weights: {name: weights[name] for name in weights if "pooler" not in name}
    )
    assert np.allclose(scorer_of(copy).features(["a"]), scorer_of(bert).features(["a"]))


def test_a_tokenizer_without_words_is_refused(copy: Path) -> None:
    (copy / "tokenizer.json").unlink()
    with pytest.raises(BadInput, match="files of its tokenizer are missing"):
        scorer_of(copy).features(["a"])


def changed(path: Path, change: Callable[[Any], None]) -> None:
    held = json.loads(path.read_text())
    change(held)
    path.write_text(json.dumps(held))


def test_code_of_a_folder_is_never_run(bert: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    code = f"open({str(ran)!r}, 'w')\nclass Own: pass\n"
    for name, file, change in (
        ("module", "modules.json", lambda held: held[0].update(type="modeling_own.Own")),
        (
            "model",
            "config.json",
            lambda held: held.update(model_type="own", auto_map={"AutoConfig": "modeling_own.Own"}),
        ),
    ):
        folder = Path(shutil.copytree(bert, tmp_path / name))
        (folder / "modeling_own.py").write_text(code)
        changed(folder / file, change)
        with pytest.raises(BadInput, match="needs Python code, which is never run"):
            scorer_of(folder).features(["a"])
    assert not ran.exists()


@pytest.mark.parametrize("lost", ["model.safetensors", "config.json", "1_Pooling"])
def test_a_folder_without_a_part_is_an_error_of_one_line(copy: Path, lost: str) -> None:
    path = copy / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(BadInput, match=r"cannot use it: .*: save the encoder again") as caught:
        scorer_of(copy).features(["a"])
    assert "\n" not in str(caught.value)


def test_a_list_of_no_modules_is_an_error(copy: Path) -> None:
    for text in ("[]", "[1]"):
        (copy / "modules.json").write_text(text)
        with pytest.raises(BadInput, match="cannot use it"):
            scorer_of(copy).features(["a"])
