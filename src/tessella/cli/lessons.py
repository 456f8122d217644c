"""The command `tessella learn`."""

import argparse

from tessella.cli.options import add_language, style_for
from tessella.games import GAMES
from tessella.lessons.lesson import shipped
from tessella.terminal.console import console
from tessella.terminal.lessons import take_lesson, text_in
from tessella.terminal.setup import distinct
from tessella.text.i18n import Translations

MOST_OPPONENTS = 4


def add_learn(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella learn`."""
    parser.add_argument(
        "game", nargs="?", choices=[*GAMES], help="the game to learn; if left out, the lessons are listed"
    )
    parser.add_argument("--aloud", action="store_true", help="sentences instead of a drawing, for a screen reader")
    add_language(parser)
    parser.set_defaults(run=_learn)


def _learn(options: argparse.Namespace) -> int:
    texts = Translations(options.language)
    style = style_for(options, distinct([texts("screen.home.me"), *[texts("lesson.opponent")] * MOST_OPPONENTS]))
    if options.game is None:
        for lesson in shipped().values():
            print(f"{style.strong(f'tessella learn {lesson.game}')}  {text_in(lesson.about, style)}")
    else:
        take_lesson(shipped()[options.game], style, console())
    return 0
