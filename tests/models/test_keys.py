"""Keys of rows stay what they are: stored rows are found by them."""

from models.keys import content_key


def test_a_key_does_not_change() -> None:
    assert content_key("a", 1, None, 0.1, {"b": [True]}) == "0358152d396f2c4236a55b95084fffa8"
