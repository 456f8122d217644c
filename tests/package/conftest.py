"""The release that the tests of packages and containers share."""

import os

import pytest

from tests.package.release import Release, build_once


@pytest.fixture(scope="session")
def release(tmp_path_factory) -> Release:
    """Return what scripts/package-check built and found; all workers of a run share it."""
    folder = tmp_path_factory.getbasetemp()
    return build_once(folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)
