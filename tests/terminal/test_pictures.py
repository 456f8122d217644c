"""The pictures in the documentation show the full screen as it is."""

from pathlib import Path

import pytest

from tests.terminal.pictures import PICTURES, draw

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


@pytest.mark.heavy
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_what_is_drawn_now(name):
    kept = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert draw(PICTURES[name]) == kept, "look at it, then write it anew: scripts/gen/screen-pictures"
