"""Keys of rows: the same by row and by column."""

from hypothesis import given
from hypothesis import strategies as st

from models.keys import content_key, content_keys

TEXT = st.text(st.characters(codec="utf-8") | st.sampled_from(["\ud800", '"', "\\", ","]))


@given(st.lists(st.tuples(TEXT, TEXT, st.sampled_from(["scc_v1", "tokens_v2"]))))
def test_keys_of_columns_are_those_of_their_rows(rows: list[tuple[str, str, str]]) -> None:
    columns = [[row[place] for row in rows] for place in range(3)]
    assert content_keys(*columns) == [content_key(*row) for row in rows]


def test_a_key_does_not_change() -> None:
    assert content_key("a", 1, None, 0.1, {"b": [True]}) == "0358152d396f2c4236a55b95084fffa8"
