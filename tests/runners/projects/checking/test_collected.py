"""Which of the collected tests a child runs."""

from types import SimpleNamespace

from runners.projects.inside.warm_process import Collected


def test_chosen_tests_come_in_the_order_of_collection() -> None:
    items = [SimpleNamespace(nodeid=name) for name in ("a", "b", "c", "b")]
    chosen = Collected(items).chosen(["c", "b", "unknown"])
    assert [item.nodeid for item in chosen] == ["b", "c", "b"]
    assert chosen[0] is items[1]
    assert chosen[2] is items[3]


def test_a_failure_of_a_chosen_test_is_not_rendered() -> None:
    (item,) = Collected([SimpleNamespace(nodeid="a")]).chosen(["a"])
    assert item.repr_failure(ValueError("long")) == ""
