"""Every setting by option, by environment, in --help and in the reference."""

import re

import pytest

from tessella import cli
from tessella.server import settings
from tessella.server.settings import Settings


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


MAILING = {
    "SITE": "https://play.example.org",
    "MAIL": "smtps://mail.example.org",
    "MAIL_FROM": "news@play.example.org",
}


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"PORT": "high"}, "port"),
        ({"PORT": "70000"}, "port"),
        ({"BOTS": "-1"}, "bots"),
        ({"DATABASE": "mysql://x"}, "database"),
        ({"DATABSE": "sqlite:x"}, "TESSELLA_DATABASE"),
        ({"LOG": "loud"}, "log"),
        ({"OIDC_ISSUER": "https://id.example.org"}, "oidc_client"),
        ({"MAIL": MAILING["MAIL"]}, "site"),
        (MAILING | {"SITE": "play.example.org"}, "site"),
        (MAILING | {"MAIL": "imap://x"}, "mail"),
        (MAILING | {"MAIL_FROM": "news"}, "mail_from"),
    ],
)
def test_what_is_not_a_setting_is_refused_in_a_sentence(variables, named, monkeypatch, capsys):
    for name, value in variables.items():
        monkeypatch.setenv(f"TESSELLA_{name}", value)
    assert cli.main(["serve"]) == 2
    assert re.match(rf"tessella: .*\b{named}\b", capsys.readouterr().err)


def test_a_mail_server_is_a_setting_and_variables_of_others_are_not_ours():
    variables = MAILING | {"TEST_POSTGRES": "x"}
    found = settings.read("serve", {}, {f"TESSELLA_{name}": value for name, value in variables.items()})
    assert (found.mail, found.port) == (MAILING["MAIL"], 8642)


@pytest.mark.parametrize("command", ["serve", "work", "admin"])
def test_help_explains_every_setting(command, capsys):
    arguments = [command, "list"] if command == "admin" else [command]
    with pytest.raises(SystemExit):
        cli.main([*arguments, "--help"])
    said = " ".join(capsys.readouterr().out.split())
    for name in settings.COMMANDS[command]:
        assert f"--{name.replace('_', '-')}" in said
        assert f"TESSELLA_{name.upper()}" in said


def test_the_reference_explains_every_setting():
    assert not [name for name in Settings.__struct_fields__ if f"TESSELLA_{name.upper()}" not in settings.document()]
