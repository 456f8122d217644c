"""What shells complete and what `man` shows: the commands as they are."""

import shutil
import subprocess

import pytest

from tessella import cli
from tessella.cli import completion

WHOLE = completion.command(cli.parser())


def completed(*words: str) -> list[str]:
    """What bash offers for the last word."""
    script = completion.complete(WHOLE, "bash")
    line = " ".join(f"'{word}'" for word in words)
    ask = f'COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _tessella; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("tessella", "re"), ["replay"]),
        (("tessella", "admin", "ba"), ["backup"]),
        (("tessella", "arena", ""), ["azul", "blockers", "duel"]),
        (("tessella", "play", "azul", "--language", ""), ["en", "nl", "fr", "de", "es", "it"]),
        (("tessella", "play", "azul", "Ann", "--sa"), ["--save"]),
        (("tessella", "admin", "--json", "xyz"), []),
    ],
)
def test_bash_completes(words, offered):
    assert completed(*words)[: len(offered) or 1] == offered


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_every_command_and_option_is_in_the_script(name):
    script = completion.complete(WHOLE, name)
    for command in WHOLE:
        assert f"'{command.name}'" in script or f"at {command.name}'" in script
        for option in (text for argument in command.options for text in argument.option_strings):
            assert option.lstrip("-") in script
    if shutil.which(name):
        subprocess.run([name, "-n"], input=script, text=True, check=True)


def test_the_command_prints_it(capsys):
    assert cli.main(["completion", "bash"]) == 0
    assert capsys.readouterr().out.strip() == completion.complete(WHOLE, "bash").strip()


def test_the_manual_tells_every_command_and_option():
    page = completion.manual(WHOLE)
    for command in WHOLE:
        if not command.below:
            assert f".SS {command.name.replace('-', chr(92) + '-')}" in page
            assert all(option.replace("-", "\\-") in page for each in command.options for option in each.option_strings)


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_the_manual_is_what_troff_understands():
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-K", "utf8"],
        input=completion.manual(WHOLE),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert "computer" in done.stdout
