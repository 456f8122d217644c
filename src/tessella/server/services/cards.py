"""Cards of shared links and replays for other sites, drawn by tasks in child processes; see `expensive`."""

from datetime import date

from tessella.coach.puzzles.puzzle import shipped
from tessella.core.game import Public, Seat
from tessella.games import GAMES
from tessella.server.rooms.history import Log, decode_log
from tessella.svg import PAINTERS, Picture
from tessella.svg.card import Card, Player
from tessella.svg.embed import page
from tessella.svg.raster import png
from tessella.table.history import fold_log
from tessella.table.table import AnyState, Refused, Table
from tessella.text.cards import (
    CardWords,
    all_dailies_in_words,
    daily_in_words,
    puzzle_in_words,
    seat_names,
    table_in_words,
)
from tessella.text.i18n import Translations
from tessella.text.style import Style


class CardView(Public, frozen=True):
    """A card as PNG."""

    png: bytes


class EmbedView(Public, frozen=True):
    """The page of a replay for other sites."""

    html: str


def card_of_game(game_id: str, log: Log, language: str) -> CardView:
    """Return the card of a table as any spectator sees it."""
    table, texts = fold_log(game_id, decode_log(log)).table, Translations(language)
    words = table_in_words(texts, table)
    if not table.may_watch(None):
        return _drawn(Card(words.title, words.line, (), table.game.NAME))
    names = seat_names(texts, table.seats)
    board = _board(table.game.NAME, table.state, None, Style(texts, names, colour=False), words)
    players = tuple(Player(name, _score(table, board, seat), _is_lit(table, seat)) for seat, name in enumerate(names))
    return _drawn(Card(words.title, words.line, players, table.game.NAME, board))


def _board(title: str, state: AnyState, seat: Seat | None, style: Style, words: CardWords) -> Picture | None:
    if title not in PAINTERS:
        return None
    painter, view = PAINTERS[title], GAMES[title].view(state, seat)
    return Picture(painter.layout_of(view.config), painter.contents_of(view, style), words.headline)


def _score(table: Table, board: Picture | None, seat: Seat) -> str:
    """Return the score of a seat: that of the result or, during a game, what its board shows."""
    if table.end and table.end.scores:
        return str(table.end.scores[seat])
    return board.contents.says.get(f"score{seat}", "") if board and table.started else ""


def _is_lit(table: Table, seat: Seat) -> bool:
    """Return whether a seat won or, during a game, is to move."""
    return bool(table.end.places) and table.end.places[seat] == 1 if table.end else seat in table.movers


def card_of_puzzle(puzzle_id: str, language: str) -> CardView:
    """Return the card of a puzzle: the position as the seat to move sees it."""
    puzzle, texts = shipped()[puzzle_id], Translations(language)
    words, state = puzzle_in_words(texts, puzzle), GAMES[puzzle.title].read_state(puzzle.position)
    board = _board(puzzle.title, state, puzzle.seat, Style(texts, (), colour=False), words)
    return _drawn(Card(words.title, words.line, (), puzzle.title, board))


def card_of_daily(title: str, day: str, level: str, language: str) -> CardView:
    """Return the card of a daily deal, which shows nothing of the deal; without a title, that of all deals."""
    texts = Translations(language)
    words = daily_in_words(texts, title, date.fromisoformat(day), level) if title else all_dailies_in_words(texts)
    return _drawn(Card(words.headline if not title else words.title, words.line, (), title or "azul"))


def _drawn(card: Card) -> CardView:
    return CardView(png(card.svg()))


def embed_of_game(game_id: str, log: Log, language: str, address: str) -> EmbedView:
    """Return the replay of a finished game for other sites, as a spectator saw it."""
    table, texts = fold_log(game_id, decode_log(log)).table, Translations(language)
    if not (table.is_public and table.shown and table.started) or table.game.NAME not in PAINTERS:
        raise Refused("running", "only finished games can be replayed")
    return EmbedView(page(table.game, table.record(), seat_names(texts, table.seats), texts, address))
