"""Every setting by option, by environment, in --help and in the reference."""

from pathlib import Path

import pytest

from tessella import cli
from tessella.server import settings
from tessella.server.settings import BadSetting, Settings

ROOT = Path(__file__).parents[2]


def test_an_option_wins_over_the_environment_which_wins_over_the_default():
    environment = {"TESSELLA_PORT": "9000", "TESSELLA_BOTS": "4", "TESSELLA_OPEN": "false", "HOME": "/home/ann"}
    found = settings.read("serve", {"port": "9001", "bots": None, "what": "else"}, environment)
    assert (found.port, found.bots, found.open, found.address) == (9001, 4, False, "127.0.0.1")


def test_games_are_kept_in_the_data_folder_by_default(monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert settings.read("serve", {}, {}).database == "sqlite:/data/tessella/tessella.sqlite3"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/ann")
    assert Settings().database == "sqlite:/home/ann/.local/share/tessella/tessella.sqlite3"


def test_a_bot_worker_listens_only_if_it_is_told_to():
    assert settings.read("work", {}, {}).port == 0
    assert settings.read("work", {}, {"TESSELLA_PORT": "8643"}).port == 8643


@pytest.mark.parametrize(
    ("variable", "value", "named"),
    [
        ("TESSELLA_PORT", "high", "port"),
        ("TESSELLA_PORT", "70000", "port"),
        ("TESSELLA_BOTS", "-1", "bots"),
        ("TESSELLA_DATABASE", "mysql://x", "database"),
        ("TESSELLA_DATABSE", "sqlite:x", "TESSELLA_DATABASE"),
        ("TESSELLA_LOG", "loud", "log"),
    ],
)
def test_what_is_not_a_setting_is_refused_in_a_sentence(variable, value, named, monkeypatch, capsys):
    with pytest.raises(BadSetting, match=named):
        settings.read("serve", {}, {variable: value})
    monkeypatch.setenv(variable, value)
    assert cli.main(["serve"]) == 2
    assert capsys.readouterr().err.startswith("tessella: ")


def test_variables_of_others_are_not_ours():
    assert settings.read("serve", {}, {"TESSELLA_TEST_POSTGRES": "x"}).port == 8642


@pytest.mark.parametrize("command", ["serve", "work", "admin"])
def test_help_explains_every_setting(command, capsys):
    arguments = [command, "list"] if command == "admin" else [command]
    with pytest.raises(SystemExit):
        cli.main([*arguments, "--help"])
    said = " ".join(capsys.readouterr().out.split())
    for name in settings.COMMANDS[command]:
        assert f"--{name.replace('_', '-')}" in said
        assert f"TESSELLA_{name.upper()}" in said


def test_the_reference_is_up_to_date():
    page = ROOT / "docs" / "reference" / "settings.md"
    assert page.read_text("utf-8") == settings.document(), "run: scripts/docs-reference"
    for name in Settings.__struct_fields__:
        assert f"TESSELLA_{name.upper()}" in page.read_text("utf-8")
