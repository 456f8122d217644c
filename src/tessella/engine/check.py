"""The conformance check: every rule of the engine protocol, tried on a real engine.

Each rule is a function that raises `EngineError` with the reason if the engine breaks it.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import get_origin

from msgspec import Struct

from tessella.bots import Budget
from tessella.core.game import AnyGame, BadNotation, Config, option_types, option_values
from tessella.core.local import AnyTable, LocalTable
from tessella.core.record import read_options, write_rules
from tessella.engine.messages import (
    Answer,
    Chosen,
    Failed,
    Go,
    Info,
    NewGame,
    Option,
    Quit,
    SetOption,
    Stop,
    write_answer,
    write_command,
)
from tessella.engine.process import (
    ANSWER_SECONDS,
    STOP_SECONDS,
    EngineError,
    EngineProcess,
    find_move,
    started,
)
from tessella.games import GAMES

BUDGETS = (Budget(seconds=0.05), Budget(nodes=50), Budget(seconds=0.05, nodes=50))
SECONDS, TIMED_MOVES = 0.2, 5
SLACK_SECONDS = 0.5
"""How much later than its seconds an answer may arrive."""
END_SECONDS = 5.0
"""How long an engine may take to end."""
VARIANT_MOVES = 30


class Finding(Struct, frozen=True):
    """Whether an engine keeps a rule; `reason` says why not, and `note` what was tried."""

    rule: str
    sentence: str
    reason: str = ""
    note: str = ""

    @property
    def passed(self) -> bool:
        """Whether the rule is kept."""
        return not self.reason

    def __str__(self) -> str:
        head = f"{'pass' if self.passed else 'FAIL'}  {self.rule:<12} {self.sentence}"
        return head + (f" ({self.note})" if self.note else "") + (f"\n      {self.reason}" if self.reason else "")


Trial = Callable[[EngineProcess], str]
"""Try one rule on an engine, and return a note; raise `EngineError` if the engine breaks the rule."""
Rule = tuple[str, str, Trial]


def check(command: str, games: int = 2) -> Iterator[Finding]:
    """Yield one finding per rule; only the first if the engine cannot introduce itself."""
    with _Examination(command) as examination:
        first = examination.try_rule(*HELLO)
        yield first
        if not first.passed:
            return
        for rule in RULES:
            yield examination.try_rule(*rule)
        for title in examination.titles:
            for rule in _title_rules(GAMES[title.partition("/")[0]], games):
                yield examination.try_rule(*rule)


class _Examination:
    """The process of an engine that is being checked: a new one after each failure, and after the engine has ended."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._engine: EngineProcess | None = None
        self.titles: tuple[str, ...] = ()

    def __enter__(self) -> "_Examination":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def try_rule(self, rule: str, sentence: str, trial: Trial) -> Finding:
        try:
            if self._engine is None:
                self._engine = started(self._command) if self.titles else EngineProcess(self._command)
            note = trial(self._engine)
        except EngineError as exc:
            self._end()
            return Finding(rule, sentence, reason=str(exc))
        self.titles = self._engine.introduction.titles
        if trial in (_quit, _end_of_input):
            self._end()
        return Finding(rule, sentence, note=note)

    def _end(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None


# Rules of the conversation


def _hello(engine: EngineProcess) -> str:
    found = engine.introduce()
    known = [f"{game.NAME}/{game.EDITION}" for game in GAMES.values()]
    if unknown := [title for title in found.titles if title not in known]:
        raise EngineError(f"unknown title {unknown[0]}: expected {', '.join(known)}")
    return f"{found.name}, by {found.author}; {', '.join(found.titles)}"


def _without_position(engine: EngineProcess) -> str:
    _require_error(engine, write_command(Go(Budget(nodes=1))))
    return ""


def _version(engine: EngineProcess) -> str:
    _require_error(engine, "tessella 999")
    return ""


def _unknown(engine: EngineProcess) -> str:
    for line in ("castle", "Go", "tessella"):
        _require_error(engine, line)
    engine.introduce()
    return ""


def _options(engine: EngineProcess) -> str:
    for option in engine.introduction.options:
        for value in (*option.values, option.default):
            engine.set_option(option.name, value)
    return ", ".join(option.name for option in engine.introduction.options) or "it has none"


def _wrong_option(engine: EngineProcess) -> str:
    for option in (Option("no-such-option", "1", ("1",)), *engine.introduction.options):
        if option.values:
            _require_error(engine, write_command(SetOption(option.name, "no-such-value")))
    return ""


def _wrong_game(engine: EngineProcess) -> str:
    _require_error(engine, "new chess/1 seats=2")
    return ""


def _idle_stop(engine: EngineProcess) -> str:
    engine.send(Stop())
    engine.introduce()
    return ""


def _quit(engine: EngineProcess) -> str:
    engine.send(Quit())
    if code := engine.wait(END_SECONDS):
        raise EngineError(f"exit code {code}: expected 0")
    return ""


def _end_of_input(engine: EngineProcess) -> str:
    engine.close_input()
    engine.wait(END_SECONDS)
    return ""


HELLO: Rule = ("hello", "tessella 1 is answered by name, author, title and option lines, then ok", _hello)
RULES: Sequence[Rule] = (
    ("no-position", "go without a position gets error", _without_position),
    ("version", "a version that the engine does not speak gets error", _version),
    ("unknown", "a line that is no command gets error, and the conversation goes on", _unknown),
    ("options", "every offered option takes its default and each of its values", _options),
    ("wrong-option", "an unknown option or value gets error", _wrong_option),
    ("wrong-game", "a game that the engine does not play gets error", _wrong_game),
    ("idle-stop", "stop without go is ignored", _idle_stop),
    ("quit", f"quit ends the process within {END_SECONDS:g} s, with exit code 0", _quit),
    ("end", f"the end of the input ends the process within {END_SECONDS:g} s", _end_of_input),
)


# Rules of a title


def _title_rules(game: AnyGame, games: int) -> Sequence[Rule]:
    within = f"{SECONDS + SLACK_SECONDS:g} s"
    return (
        (f"{game.NAME} legal", "every move is legal, in whole games in every seat", partial(_legal, game, games)),
        (f"{game.NAME} variants", "other options of the game are played, or get error", partial(_variants, game)),
        (f"{game.NAME} time", f"go seconds {SECONDS:g} is answered within {within}", partial(_time, game)),
        (f"{game.NAME} stop", f"stop is answered by a move within {STOP_SECONDS:g} s", partial(_stop, game)),
    )


def _legal(game: AnyGame, games: int, engine: EngineProcess) -> str:
    moves = sum(_play(engine, game, _table(game, game.Config(), number)) for number in range(games))
    return f"{games} games, {moves} moves"


def _variants(game: AnyGame, engine: EngineProcess) -> str:
    refused: list[str] = []
    variants = [*_variants_of(game)]
    for words in variants:
        config = read_options(game, words)
        engine.send(NewGame(write_rules(game, config)))
        match engine.answer(ANSWER_SECONDS):
            case Failed():
                refused.append(" ".join(words))
            case _:
                _play(engine, game, _table(game, config, 1), most=VARIANT_MOVES)
    note = f"{len(variants) - len(refused)} played"
    return note + (f", not played: {'; '.join(refused)}" if refused else "")


def _variants_of(game: AnyGame) -> Iterator[list[str]]:
    """Yield every number of seats with every other value of one option; not of those that are lists."""
    config: type[Config] = game.Config
    words = [
        f"{option}={value}"
        for option, kind in option_types(config).items()
        if option != "seats" and get_origin(kind) is not tuple
        for value in option_values(kind)
    ]
    for seats in range(2, 6):
        for word in words:
            try:
                read_options(game, [f"seats={seats}", word])
            except BadNotation:
                continue
            yield [f"seats={seats}", word]


def _time(game: AnyGame, engine: EngineProcess) -> str:
    slowest = 0.0
    table, rng = _table(game, game.Config(), 2), Random(2)  # noqa: S311
    _begin(engine, game, table)
    for _ in range(TIMED_MOVES):
        view = game.view(table.state, table.seats[0])
        engine.show(game, view, rng)
        began = time.monotonic()
        text, _infos = engine.go(Budget(seconds=SECONDS))
        slowest = max(slowest, time.monotonic() - began)
        table.play(find_move(game, view, text, rng))
    if slowest > SECONDS + SLACK_SECONDS:
        raise EngineError(f"a move took {slowest:.2f} s")
    return f"the slowest of {TIMED_MOVES} moves took {slowest:.2f} s"


def _stop(game: AnyGame, engine: EngineProcess) -> str:
    table = _table(game, game.Config(), 3)
    _begin(engine, game, table)
    engine.show(game, game.view(table.state, table.seats[0]), Random(3))  # noqa: S311
    engine.send(Go())
    engine.send(Stop())
    began = time.monotonic()
    _require_move(engine.answers(ANSWER_SECONDS))
    if (took := time.monotonic() - began) > STOP_SECONDS + SLACK_SECONDS:
        raise EngineError(f"the move came {took:.2f} s after stop")
    engine.introduce()
    return ""


# Playing


def _table(game: AnyGame, config: object, number: int) -> AnyTable:
    return LocalTable(game, config, seed=bytes([number] * 32))


def _begin(engine: EngineProcess, game: AnyGame, table: AnyTable) -> None:
    engine.new_game(write_rules(game, game.view(table.state, None).config))


def _play(engine: EngineProcess, game: AnyGame, table: AnyTable, most: int | None = None) -> int:
    """Let the engine play every seat, each with its own view, and return the number of moves."""
    rng, moves = Random(1), 0  # noqa: S311
    _begin(engine, game, table)
    while table.seats and moves != most:
        view = game.view(table.state, table.seats[0])
        engine.show(game, view, rng)
        text, infos = engine.go(BUDGETS[moves % len(BUDGETS)])
        table.play(find_move(game, view, text, rng))
        _require_info(infos, text)
        moves += 1
    return moves


# What must be so


def _require_info(infos: Sequence[Info], move: str) -> None:
    if infos and infos[-1].line and infos[-1].line[0] != move:
        raise EngineError(f"the last line begins with {infos[-1].line[0]}, but the move is {move}")


def _require_move(answers: Iterator[Answer]) -> None:
    *_, last = answers
    if not isinstance(last, Chosen):
        raise EngineError("ok instead of a move")


def _require_error(engine: EngineProcess, line: str) -> None:
    engine.send_line(line)
    answer = engine.answer(ANSWER_SECONDS)
    if not isinstance(answer, Failed):
        raise EngineError(f"{line!r} was answered by {write_answer(answer)!r}: expected error")
