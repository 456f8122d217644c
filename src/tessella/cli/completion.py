"""Shell completion and the manual page, both made from the parser of the command line."""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from tessella.cli import parser as whole_parser


class Command(Struct, frozen=True):
    """A command: its full name, its line of help, its arguments and options, and its subcommands."""

    name: str
    about: str
    arguments: tuple[argparse.Action, ...]
    below: tuple["Command", ...]

    def __iter__(self) -> Iterator["Command"]:
        """Yield the command itself, then every command below it."""
        yield self
        for command in self.below:
            yield from command

    @property
    def runs(self) -> bool:
        """Return whether the command does something by itself, rather than only by its subcommands."""
        return not self.below or (" " in self.name and bool(self.arguments))

    @property
    def options(self) -> list[argparse.Action]:
        """Return the arguments that start with a dash."""
        return [argument for argument in self.arguments if argument.option_strings]


def command(parser: argparse.ArgumentParser, about: str = "") -> Command:
    """Return the command of a parser; argparse offers no public way to list its arguments."""
    actions: list[argparse.Action] = vars(parser)["_actions"]
    arguments = [each for each in actions if each.nargs != argparse.PARSER and each.dest != "help"]
    below = [inner for each in actions if each.nargs == argparse.PARSER for inner in _below(each)]
    return Command(parser.prog, about, tuple(arguments), tuple(below))


def _below(group: argparse.Action) -> Iterator[Command]:
    parsers: dict[str, argparse.ArgumentParser] = vars(group)["choices"]
    named: list[argparse.Action] = vars(group)["_choices_actions"]
    abouts = {choice.dest: choice.help or "" for choice in named}
    for name, parser in parsers.items():
        yield command(parser, abouts.get(name, ""))


def value_name(argument: argparse.Action) -> str:
    """Return the placeholder for the value of an argument, or nothing if it takes none."""
    if argument.nargs == 0:
        return ""
    return argument.metavar if isinstance(argument.metavar, str) else argument.dest.upper().replace("_", "-")


# Completion


def add_completion(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella completion`."""
    parser.add_argument("shell", choices=SHELLS, help='for example eval "$(tessella completion bash)" in .bashrc')
    parser.set_defaults(run=_completion)


def _completion(options: argparse.Namespace) -> int:
    print(complete(command(whole_parser()), options.shell))
    return 0


def complete(whole: Command, shell: str) -> str:
    """Return the script that makes this shell complete the command."""
    return SHELLS[shell](whole)


def _bash(whole: Command) -> str:
    named = " | ".join(f"'{each.name}'" for each in whole if each is not whole)
    values = [
        f"        '{each.name} {option}') known='{' '.join(map(str, argument.choices))}' ;;"
        for each in whole
        for argument in each.options
        for option in argument.option_strings
        if argument.choices
    ]
    words = [f"            '{each.name}') known='{' '.join(_words(each))}' ;;" for each in whole]
    return "\n".join(
        [
            f"_{whole.name}() {{",
            f"    local at={whole.name} known='' i",
            "    for ((i = 1; i < COMP_CWORD; i++)); do",
            '        case "$at ${COMP_WORDS[i]}" in',
            f'        {named}) at="$at ${{COMP_WORDS[i]}}" ;;',
            "        esac",
            "    done",
            '    case "$at ${COMP_WORDS[COMP_CWORD - 1]}" in',
            *values,
            '        *) case "$at" in',
            *words,
            "        esac ;;",
            "    esac",
            '    COMPREPLY=($(compgen -W "$known" -- "${COMP_WORDS[COMP_CWORD]}"))',
            "}",
            f"complete -o default -F _{whole.name} {whole.name}",
        ]
    )


def _words(each: Command) -> list[str]:
    """Return what may come next: subcommands, values of arguments with choices, options."""
    values = [str(value) for argument in each.arguments for value in _values(argument)]
    options = [option for argument in each.options for option in argument.option_strings]
    return [*(inner.name.rpartition(" ")[2] for inner in each.below), *values, *options, "--help"]


def _values(argument: argparse.Action) -> list[str]:
    return [] if argument.option_strings else [str(value) for value in argument.choices or () if value]


def _zsh(whole: Command) -> str:
    return "autoload -Uz compinit bashcompinit && compinit && bashcompinit\n" + _bash(whole)


def _fish(whole: Command) -> str:
    lines = [
        "function __tessella_at",
        f"    set -l at {whole.name}",
        "    for word in (commandline -opc)[2..]",
        f'        contains -- "$at $word" {" ".join(_quoted(each.name) for each in whole if each is not whole)}',
        '        and set at "$at $word"',
        "    end",
        '    test "$at" = "$argv"',
        "end",
    ]
    for each in whole:
        here = f"complete -c {whole.name} -n {_quoted('__tessella_at ' + each.name)}"
        lines += [f"{here} -f -a {inner.name.rpartition(' ')[2]} -d {_quoted(inner.about)}" for inner in each.below]
        lines += [f"{here} -a {_quoted(' '.join(values))}" for values in map(_values, each.arguments) if values]
        lines += [f"{here} {_fish_option(argument)}" for argument in each.options]
    return "\n".join(lines)


def _fish_option(argument: argparse.Action) -> str:
    names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in argument.option_strings]
    takes = [] if argument.nargs == 0 else ["-r"]
    values = [f"-f -a {_quoted(' '.join(map(str, argument.choices)))}"] if argument.choices else []
    return " ".join([*names, *takes, *values, f"-d {_quoted(_help(argument))}"])


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: Mapping[str, Callable[[Command], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}


# The manual page

_ABOUT = """
.SH DESCRIPTION
Play Azul, Azul Duel and Blockers! in a terminal or a browser, host tables for others, and do research with exact and
fast engines. Each command describes its options with
.BR \\-\\-help .
"""
_REST = """
.SH ENVIRONMENT
.TP
.B LANG
the language, if it is English, Dutch, French, German, Spanish or Italian (as LC_ALL and LC_MESSAGES)
.TP
.B NO_COLOR
disables colours if set
.TP
.B TESSELLA_*
server settings, as listed in the help of each option
.SH FILES
.TP
.I $XDG_DATA_HOME/tessella/tessella.sqlite3
the games of a local server; by default below
.I ~/.local/share
.SH EXIT STATUS
0 on success, 1 if a check failed, 2 if the arguments were wrong or the command could not run.
.SH EXAMPLES
.TP
.B tessella play azul
you against the computer
.TP
.B tessella serve
tables for you and your friends, in the browser
.TP
.B tessella verify friday.game
recompute every deal of a finished game
"""


def manual(whole: Command) -> str:
    """Return the manual page in troff."""
    head = [".TH TESSELLA 1", ".SH NAME", f"{whole.name} \\- a home for tile\\-laying games", ".SH SYNOPSIS"]
    synopsis = [f".B {whole.name}", ".I COMMAND", "[\\fIARGUMENT\\fR ...]"]
    running = [each for each in whole if each.runs]
    return "\n".join(
        [*head, *synopsis, _ABOUT.strip("\n"), ".SH COMMANDS", *map(_section, running), _REST.lstrip("\n")]
    )


def _section(each: Command) -> str:
    plain = [argument for argument in each.arguments if not argument.option_strings]
    shown = " ".join([each.name, *map(_slot, plain)])
    lines = [f".SS {_roff(shown)}", _roff(each.about)]
    for argument in each.arguments:
        value = value_name(argument)
        names = ", ".join(f"\\fB{_roff(name)}\\fR" for name in argument.option_strings)
        label = f"{names} \\fI{_roff(value)}\\fR" if names and value else names or f"\\fI{_roff(value)}\\fR"
        lines += [".TP", label, _roff(_help(argument)) or "\\&"]
    return "\n".join(line for line in lines if line)


def _slot(argument: argparse.Action) -> str:
    value = value_name(argument)
    return {"?": f"[{value}]", "*": f"[{value} ...]", "+": f"{value} ..."}.get(str(argument.nargs), value)


def _help(argument: argparse.Action) -> str:
    choices = [str(value) for value in argument.choices or () if value]
    return "; ".join(part for part in (argument.help or "", ", ".join(choices)) if part)


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("–", "\\(en")
    return re.sub(r"^([.'])", r"\\&\1", escaped)
