"""The games that are played here and the levels of their bots, as a client sees them."""

from tessella.bots import ladder
from tessella.core.game import AnyGame, Public
from tessella.games import GAMES
from tessella.games.registry import seat_numbers


class Level(Public, frozen=True):
    """A level of bots."""

    name: str


class TitleView(Public, frozen=True):
    """A game that is played here."""

    title: str
    edition: int
    levels: tuple[Level, ...]
    seats: tuple[int, ...]
    """How many can play."""
    is_installed: bool
    """Another package brings the game, with its texts and its board."""


class TitlesView(Public, frozen=True):
    """All games that are played here."""

    titles: tuple[TitleView, ...]


def list_titles() -> TitlesView:
    """List all games and the levels of their bots, from the weakest up."""
    return TitlesView(tuple(map(_title, GAMES.values())))


def _title(game: AnyGame) -> TitleView:
    return TitleView(
        game.NAME, game.EDITION, tuple(map(Level, ladder(game))), seat_numbers(game), game.NAME in GAMES.installed
    )
