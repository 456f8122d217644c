"""Plots of what learners reach: every line is there, and its name can be read."""

from itertools import pairwise
from xml.etree import ElementTree

from tessella.arena import plot
from tessella.arena.strength import Interval


def test_curves_have_a_line_a_band_and_a_name_each_that_do_not_overlap():
    points = [(0.0, Interval(0.1, 0.0, 0.2)), (60.0, Interval(0.9, 0.8, 1.0))]
    drawn = plot.curves({"v 1": points, "v <2>": points, "v 3": points}, "title", "below", ("start", "end"))
    root = ElementTree.fromstring(drawn)
    lines = [part.get("points") for part in root if part.tag.endswith("polyline")]
    assert lines == [lines[0]] * 3
    assert sum(part.tag.endswith("polygon") for part in root) == 3
    names = {part.text: float(part.get("y", "0")) for part in root if (part.text or "").startswith("v ")}
    assert [*names] == ["v 1", "v <2>", "v 3"]
    heights = sorted(names.values())
    assert all(below - above >= plot.NAME_HEIGHT for above, below in pairwise(heights))


def test_names_of_curves_stay_above_the_axis():
    flat = [(0.0, Interval(0.0, 0.0, 0.1)), (1.0, Interval(0.0, 0.0, 0.1))]
    drawn = plot.curves({f"v {level}": flat for level in range(4)}, "title", "below", ("start", "end"))
    heights = [
        float(part.get("y", "0")) for part in ElementTree.fromstring(drawn) if (part.text or "").startswith("v ")
    ]
    assert max(heights) <= plot.HEIGHT - plot.BOTTOM + 5
