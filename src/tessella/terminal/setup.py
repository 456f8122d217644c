"""Setup of a local game: its players, bots and options."""

import re
from argparse import Namespace
from collections.abc import Sequence

from tessella.bots import names as bots_of
from tessella.core import record
from tessella.core.game import AnyGame, BadNotation, Config
from tessella.games import GAMES
from tessella.local.game import LocalGame, LocalPlayer, open_game, resume_game
from tessella.terminal.console import read_game
from tessella.text.i18n import Translations

LIKE_A_BOT = re.compile(r"[+-]?\d[\d.,]*(@.*)?|.*:.*")
"""A number, with or without a budget, or a module or command with a colon: never the name of a person."""


def local_game(options: Namespace, texts: Translations) -> LocalGame:
    """Return the game that the options of `tessella play` describe: a new one, or a saved one to go on with."""
    if options.game not in GAMES:
        return _saved_game(options, texts)
    seed = bytes.fromhex(options.seed) if options.seed else None
    players = options.players or [texts("screen.home.me"), "greedy"]
    return set_up_game(GAMES[options.game], players, options.option, seed, texts)


def _saved_game(options: Namespace, texts: Translations) -> LocalGame:
    if options.players or options.option or options.seed:
        raise BadNotation(texts("saved_players", file=options.game))
    _, saved = read_game(options.game)
    if saved.seal:
        raise BadNotation(texts("saved_over", file=options.game))
    return resume_game(saved)


def set_up_game(
    game: AnyGame, players: Sequence[str], options: Sequence[str], seed: bytes | None, texts: Translations
) -> LocalGame:
    """Return a game of these players; the name of a level or of a bot seats that bot."""
    levels = [level_of(game, name, texts) for name in players]
    names = distinct([bot_name(texts, level) or name for level, name in zip(levels, players, strict=True)])
    seated = [LocalPlayer(name, level) for name, level in zip(names, levels, strict=True)]
    return open_game(game.NAME, seated, options, id="seeded" if seed else "", seed=seed)


def read_config(game: AnyGame, seats: int | None, options: Sequence[str]) -> Config:
    """Return the configuration for options such as `wall=grey`."""
    given = [*([f"seats={seats}"] if seats else []), *options]
    config: Config = record.read_options(game, given)
    return config


def level_of(game: AnyGame, name: str, texts: Translations) -> str:
    """Return the level that a number or a translated name means, or nothing for a person.

    Raise `BadNotation` for what looks like a bot and is none: a number, or a word with a colon.

    >>> from tessella.games import azul
    >>> english = Translations("en")
    >>> [level_of(azul, name, english) for name in ("3", "collector", "Ann")]
    ['3', '3', '']
    """
    found = (level for level in bots_of(game) if name.casefold() in (level, bot_name(texts, level).casefold()))
    level = next(found, "")
    if not level and LIKE_A_BOT.fullmatch(name):
        raise BadNotation(texts("no_bot", name=name, bots=", ".join(bots_of(game))))
    return level


def bot_name(texts: Translations, level: str) -> str:
    """Return the translated name of a bot, or nothing if it has none."""
    return texts(f"level.{level}") if texts.has(f"level.{level}") else ""


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names, numbered where they repeat.

    >>> distinct(["Ann", "greedy", "greedy"])
    ['Ann', 'greedy', 'greedy 2']
    """
    earlier = [names[:seat].count(name) for seat, name in enumerate(names)]
    return [f"{name} {count + 1}" if count else name for name, count in zip(names, earlier, strict=True)]
