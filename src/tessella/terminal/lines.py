"""Lines typed at the keyboard, or read from a pipe, while other things go on."""

import asyncio
import contextlib
import os
import threading


class Lines:
    """The lines of a file descriptor; None after the last one."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._rest = b""
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()

    def start(self) -> None:
        """Read whenever there is something to read."""
        loop = asyncio.get_running_loop()
        try:
            loop.add_reader(self._descriptor, self._read)
        except PermissionError:  # an ordinary file, which can always be read
            while self._take(os.read(self._descriptor, 4096)):
                pass
        except NotImplementedError:  # the event loop of Windows waits for sockets only
            threading.Thread(target=self._read_all, args=(loop,), daemon=True).start()

    def stop(self) -> None:
        """Read no more."""
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().remove_reader(self._descriptor)

    def _read(self) -> None:
        self._take(os.read(self._descriptor, 4096))

    def _read_all(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read in a thread of its own until the end, or until the loop has closed."""
        with contextlib.suppress(RuntimeError):
            while data := os.read(self._descriptor, 4096):
                loop.call_soon_threadsafe(self._take, data)
            loop.call_soon_threadsafe(self._take, b"")

    def _take(self, data: bytes) -> bool:
        """Put whole lines into the queue; return False at the end."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self.queue.put_nowait(line.decode(errors="replace").removesuffix("\r"))
        if not data:
            self.queue.put_nowait(None)
            self.stop()
        return bool(data)
