"""The image and compose.yaml, really built and run; and what the check of them relies on."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from tests.package.release import ROOT, run_script

sys.path.append(str(ROOT / "scripts"))
clean_room, containers = import_module("clean_room"), import_module("containers")
ABSENT = containers.missing()


@pytest.mark.slow
@pytest.mark.skipif(bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)}")
def test_two_guests_play_while_a_worker_is_killed_and_while_all_are_replaced(release, tmp_path):
    previous = tmp_path / "previous"
    previous.mkdir()
    clean_room.build_previous(previous)
    wheels = ("--built", str(release.folder), "--previous", str(previous))
    figures = run_script(tmp_path, "container-check", *wheels, "--guides", "--json")
    assert figures["moves_lost"] == 0
    assert figures["moves"] > 20
    assert figures["image_mb_over_base"] <= 250
    guides = {name.partition(":")[0] for name in figures["seconds"] if ":" in name}
    assert {"at home", "club", "scale"} <= guides


@pytest.mark.slow
@pytest.mark.skipif(bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)}")
def test_a_bare_debian_plays_in_a_terminal_and_serves_two_guests_within_a_minute_each(release, tmp_path):
    figures = run_script(tmp_path, "bare-check", "--built", str(release.folder), "--json")
    assert figures.keys() == {"terminal_seconds", "browser_seconds"}
    assert max(figures.values()) <= 60


def test_what_stands_in_has_the_names_of_compose_and_the_base_of_debian():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    public = {service["image"] for service in services.values() if "build" not in service}
    assert set(containers.IMAGES.values()) == public
    for name in ("bare", "python", "node", *containers.IMAGES):
        text = (containers.STAND_INS / f"{name}.Dockerfile").read_text()
        assert re.findall(r"^FROM (\S+)", text, re.MULTILINE) == [containers.DEBIAN]
        assert "://" not in text, "no address of a mirror"


def test_builds_get_the_index_of_this_machine_and_nothing_else_of_its_configuration(tmp_path, monkeypatch):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    said = f":env:.constraint='/c.txt'\nglobal.find-links='{wheels}'\nglobal.index-url='https://example.org/simple'"
    monkeypatch.setattr(containers, "run", lambda command: said)
    with containers.index() as options:
        mounts = dict(option.split(":")[:2] for option in options[1::2])
        (path,) = [here for here, there in mounts.items() if there == "/etc/pip.conf"]
        text = Path(path).read_text()
    assert "index-url = https://example.org/simple" in text
    assert "constraint" not in text
    assert set(options[::2]) == {"--volume"}
    assert all(option.endswith(":ro") for option in options[1::2])
