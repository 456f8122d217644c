"""An engine in a process of its own, as a controller runs it: every answer has a deadline, and nothing survives it.

The engine is sent what one seat may know, and what follows from that: the view, a position imagined from the view, and
the legal moves of that position. So a controller cannot leak anything by mistake.
"""

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from typing import IO

from msgspec import Struct

from tessella.bots import Bot, Budget
from tessella.core import wire
from tessella.core.game import AnyGame, BadNotation, Move, Rng, View
from tessella.core.notation import abbreviate, quote
from tessella.core.record import write_rules
from tessella.engine.messages import (
    MAX_LINE_CHARACTERS,
    Answer,
    Author,
    Chosen,
    Command,
    Failed,
    Go,
    Hello,
    Info,
    Name,
    NewGame,
    Ok,
    Option,
    Quit,
    SetMoves,
    SetOption,
    SetPosition,
    SetView,
    Stop,
    Title,
    read_answer,
    write_command,
)

ANSWER_SECONDS = 10.0
"""How long an engine may take to start, and to answer everything but `go`."""
THINK_SECONDS = 60.0
"""How long an engine may think if it was given no seconds."""
OVERRUN_FACTOR, OVERRUN_SECONDS = 2.0, 1.0
"""An engine that has not answered after its seconds times this, plus this, is sent `stop`."""
STOP_SECONDS = 1.0
"""How long an engine may take to answer `stop`, and to end after `quit`."""
MAX_WAITING_LINES = 1_000
ERROR_LINES = 20
"""How many of its last lines on stderr are kept."""


class EngineError(ValueError):
    """The engine broke the protocol, did not answer in time, or ended."""


class NoAnswer(EngineError):
    """The engine did not answer in time."""


class Introduction(Struct, frozen=True):
    """What an engine says about itself."""

    name: str = ""
    author: str = ""
    titles: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()


class EngineProcess:
    """A running engine. Close it, or use it as a context manager: it ends with its whole process group."""

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            words = shlex.split(command)
            self._process = subprocess.Popen(  # noqa: S603  the command is the user's own
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as exc:
            raise EngineError(f"cannot start {quote(command)}: {exc}") from None
        self._answers: queue.Queue[str | None] = queue.Queue(MAX_WAITING_LINES)
        self._errors: deque[str] = deque(maxlen=ERROR_LINES)
        self._readers = [
            _read_lines(self._process.stdout, self._answers.put, at_end=lambda: self._answers.put(None)),
            _read_lines(self._process.stderr, self._errors.append),
        ]
        self.introduction = Introduction()
        """What the engine has said about itself."""
        self.rules = ""
        """The rules of the game that the engine plays now."""

    def __enter__(self) -> "EngineProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The conversation

    def introduce(self) -> Introduction:
        """Greet the engine and return what it says about itself."""
        answers = self.ask(Hello())
        names = [answer.text for answer in answers if isinstance(answer, Name)]
        authors = [answer.text for answer in answers if isinstance(answer, Author)]
        titles = tuple(answer.title for answer in answers if isinstance(answer, Title))
        if len(names) != 1 or len(authors) != 1 or not titles:
            raise EngineError("an incomplete introduction: expected one name, one author and at least one title")
        options = tuple(answer for answer in answers if isinstance(answer, Option))
        self.introduction = Introduction(names[0], authors[0], titles, options)
        return self.introduction

    def new_game(self, rules: str, seed: int | None = None) -> None:
        """Begin a game with this rules line; a seed makes it reproducible if the engine offers an option `seed`."""
        if seed is not None and any(option.name == "seed" for option in self.introduction.options):
            self.set_option("seed", str(seed))
        self.ask(NewGame(rules))
        self.rules = rules

    def set_option(self, name: str, value: str) -> None:
        """Set an option."""
        self.ask(SetOption(name, value))

    def show(self, game: AnyGame, view: View, rng: Rng) -> None:
        """Send what the seat to move may know, a position imagined from it, and its legal moves."""
        assert view.seat is not None
        state = game.imagine(view, rng)
        moves = tuple(game.write_move(state, move) for move in game.legal_moves(state, view.seat))
        self.ask(SetView(wire.encode(view).decode()))
        self.ask(SetPosition(view.seat, game.write_state(state)))
        self.ask(SetMoves(moves))

    def go(self, budget: Budget) -> tuple[str, tuple[Info, ...]]:
        """Return the move that the engine chooses, and what it said about its search."""
        seconds = budget.seconds
        limit = THINK_SECONDS if seconds is None else OVERRUN_FACTOR * seconds + OVERRUN_SECONDS
        self.send(Go(budget))
        *infos, last = self.answers(limit, then_stop=True)
        if not isinstance(last, Chosen) or not all(isinstance(info, Info) for info in infos):
            raise EngineError("an answer to go without a move: expected info lines and one move")
        return last.move, tuple(info for info in infos if isinstance(info, Info))

    def ask(self, command: Command) -> tuple[Answer, ...]:
        """Return the answers to a command, without the final `ok`; raise `EngineError` if there is another end."""
        self.send(command)
        *answers, last = self.answers(ANSWER_SECONDS)
        if not isinstance(last, Ok):
            raise EngineError(f"{_word(command)} was answered by a move: expected ok")
        return tuple(answers)

    def send(self, command: Command) -> None:
        """Send a command without waiting for an answer."""
        self.send_line(write_command(command))

    def send_line(self, line: str) -> None:
        """Send a line as it is."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None

    def answers(self, seconds: float, *, then_stop: bool = False) -> Iterator[Answer]:
        """Yield answers up to a final one; raise `EngineError` for `error`, or if the time is up."""
        until = time.monotonic() + seconds
        while True:
            try:
                answer = self.answer(until - time.monotonic())
            except NoAnswer:
                if not then_stop:
                    raise NoAnswer(f"no answer within {seconds:g} s") from None
                self.send(Stop())
                until, then_stop = time.monotonic() + STOP_SECONDS, False
                continue
            if isinstance(answer, Failed):
                raise EngineError(f"the engine says: {abbreviate(answer.message)}")
            yield answer
            if isinstance(answer, Ok | Chosen):
                return

    def answer(self, seconds: float) -> Answer:
        """Return the next answer, whatever it is."""
        try:
            line = self._answers.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise NoAnswer(f"no answer within {seconds:g} s") from None
        if line is None:
            self._answers.put(None)
            raise self._ended()
        try:
            return read_answer(line)
        except BadNotation as exc:
            raise EngineError(str(exc)) from None

    # The process

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def wait(self, seconds: float) -> int:
        """Return the exit code; raise `EngineError` if the process does not end in time."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise EngineError(f"it is still running after {seconds:g} s") from None

    def close_input(self) -> None:
        """Close the input of the engine, which must then end."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def close(self) -> None:
        """End the engine: by `quit`, and if that does not help by force, with everything that it started."""
        with contextlib.suppress(EngineError):
            self.send(Quit())
        self.close_input()
        with contextlib.suppress(EngineError):
            self.wait(STOP_SECONDS)
        self._kill()
        self._process.wait()
        self._end_readers()

    def _end_readers(self) -> None:
        """Wait until both readers have reached the end; a full queue would keep one of them waiting."""
        until = time.monotonic() + STOP_SECONDS
        while any(reader.is_alive() for reader in self._readers) and time.monotonic() < until:
            with contextlib.suppress(queue.Empty):
                self._answers.get(timeout=0.01)
        for reader, stream in zip(self._readers, (self._process.stdout, self._process.stderr), strict=True):
            if stream is not None and not reader.is_alive():
                stream.close()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _ended(self) -> EngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        self._readers[1].join(STOP_SECONDS)
        code = self._process.returncode
        why = "closed its output" if code is None else f"ended with exit code {code}"
        said = [line for line in self._errors if line.strip()]
        return EngineError(f"the engine {why}" + (f": {abbreviate(said[-1].strip())}" if said else ""))


def _read_lines(
    stream: IO[str] | None, sink: Callable[[str], object], *, at_end: Callable[[], object] | None = None
) -> threading.Thread:
    """Pass every line of a stream to a sink, in a thread of its own."""
    assert stream is not None

    def read() -> None:
        while line := stream.readline(MAX_LINE_CHARACTERS + 2):
            sink(line.rstrip("\r\n"))
        if at_end is not None:
            at_end()

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread


def _word(command: Command) -> str:
    return write_command(command).partition(" ")[0]


# Engines as bots


def engine_bot(game: AnyGame, engine: EngineProcess) -> Bot:
    """Return the engine as a bot of one game; begin the game before its first move."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        if engine.rules != write_rules(game, view.config):
            engine.new_game(write_rules(game, view.config))
        engine.show(game, view, rng)
        text, _ = engine.go(budget)
        return find_move(game, view, text, rng)

    return choose


def find_move(game: AnyGame, view: View, text: str, rng: Rng) -> Move:
    """Return the legal move with this notation; raise `EngineError` if there is none."""
    assert view.seat is not None
    state = game.imagine(view, rng)
    for move in game.legal_moves(state, view.seat):
        if game.write_move(state, move) == text:
            found: Move = move
            return found
    raise EngineError(f"illegal move {quote(text)}")


class EnginePool:
    """Engines that wait for their next game: starting a process takes longer than many a game."""

    def __init__(self) -> None:
        self._idle: dict[str, list[EngineProcess]] = {}

    @contextlib.contextmanager
    def lend(self, command: str) -> Generator[EngineProcess]:
        """Lend an engine that has introduced itself; one that failed does not come back."""
        waiting = self._idle.setdefault(command, [])
        engine = waiting.pop() if waiting else started(command)
        try:
            yield engine
        except BaseException:
            engine.close()
            raise
        engine.rules = ""
        waiting.append(engine)

    def close(self) -> None:
        """End all engines that wait."""
        while self._idle:
            for engine in self._idle.popitem()[1]:
                engine.close()


def started(command: str) -> EngineProcess:
    """Return a new engine that has introduced itself."""
    engine = EngineProcess(command)
    try:
        engine.introduce()
    except BaseException:
        engine.close()
        raise
    return engine
