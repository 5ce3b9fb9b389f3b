"""Figures of pass@k: bars, bands, and what they are drawn at."""

from warehouse.reports.plots.pass_at_k import draw


def test_one_interval_of_a_language_model_is_a_bar_and_several_are_a_band() -> None:
    row = {"pass_at_k": 0.4, "pass_at_k_lo": 0.3, "pass_at_k_hi": 0.6, "k": 1, "n_used": 9}
    none = {"pass_at_k_lo": None, "pass_at_k_hi": None}
    alone = row | {"lm_id": "a", "name": "alone"}
    several = [row | {"lm_id": "b", "name": "several", "k": k} for k in (1, 5)]
    one_of_two = [row | {"lm_id": "c", "name": "one"}, row | none | {"lm_id": "c", "k": 5}]
    unbounded = alone | none | {"lm_id": "d"}
    rows = [alone, *several, *one_of_two, unbounded]
    figure = draw(rows, dataset="toy", simulated=False, is_of_some=False)
    bar, band, bar_of_two, nothing = figure.axes[0].collections
    for each in (bar, bar_of_two):
        assert [segment.tolist() for segment in each.get_segments()] == [[[1, 30], [1, 60]]]
    assert band.get_paths()[0].get_extents().extents.tolist() == [1, 30, 5, 60]
    assert nothing.get_segments() == []


def test_language_models_of_one_k_stand_beside_each_other() -> None:
    row = {"pass_at_k": 0.4, "pass_at_k_lo": 0.3, "pass_at_k_hi": 0.6, "k": 7, "n_used": 9}
    rows = [row | {"lm_id": name, "name": name} for name in "abc"]
    (axis,) = draw(rows, dataset="toy", simulated=False, is_of_some=True).axes
    left, middle, right = (line.get_xdata()[0] for line in axis.lines)
    assert left < middle < right
    assert middle == 7
    bars = [each.get_segments()[0][0][0] for each in axis.collections]
    assert bars == [left, middle, right]
    assert [tick.get_text() for tick in axis.get_xticklabels()] == ["7"]
