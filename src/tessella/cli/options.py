"""Options that several commands share, and what they choose."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from tessella.text.i18n import LANGUAGES, Translations, preferred_language
from tessella.text.style import Style, terminal_width, wants_colour


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add `--option`: a variant of the rules."""
    parser.add_argument(
        "-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="a rule variant, e.g. -o wall=grey"
    )


def add_plain(parser: argparse.ArgumentParser) -> None:
    """Add `--plain` and `--aloud`: text instead of the full screen."""
    parser.add_argument("--plain", action="store_true", help="plain text instead of the full screen")
    parser.add_argument("--aloud", action="store_true", help="plain text in sentences, for a screen reader")
    add_language(parser)


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add `--language`."""
    parser.add_argument("--language", choices=LANGUAGES, default=preferred_language(), help="interface language")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json`: a last line for programs."""
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")


def positive(text: str) -> int:
    """Return a whole number of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is too small; the least is 1")
    return number


def natural(text: str) -> int:
    """Return a whole number of at least 0."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("it cannot be negative")
    return number


def is_full_screen(options: argparse.Namespace) -> bool:
    """Return whether to use the full screen: on a terminal with Textual installed, unless plain text was asked for."""
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return on_terminal and not (options.plain or options.aloud) and find_spec("textual") is not None


def style_for(options: argparse.Namespace, names: Sequence[str]) -> Style:
    """Return how to write text for this terminal."""
    texts, width = Translations(options.language), terminal_width()
    return Style(texts, names, colour=wants_colour(), width=width, aloud=getattr(options, "aloud", False))
