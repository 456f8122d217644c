"""Builds a checkout for `pip install .` by handing over the wheel that was built already."""

import shutil
from pathlib import Path


def build_wheel(directory: str, *_: object) -> str:
    (wheel,) = Path("/dist").glob("*.whl")
    return Path(shutil.copy(wheel, directory)).name
