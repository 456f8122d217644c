"""Lines typed at the keyboard, or read from a pipe, while other things go on."""

import asyncio
import os


class Lines:
    """The lines of a file descriptor; None after the last one."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._rest = b""
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()

    def start(self) -> None:
        """Read whenever there is something to read."""
        try:
            asyncio.get_running_loop().add_reader(self._descriptor, self._read)
        except PermissionError:  # an ordinary file, which can always be read
            while self._read():
                pass

    def stop(self) -> None:
        """Read no more."""
        asyncio.get_running_loop().remove_reader(self._descriptor)

    def _read(self) -> bool:
        data = os.read(self._descriptor, 4096)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self.queue.put_nowait(line.decode(errors="replace"))
        if not data:
            self.queue.put_nowait(None)
            self.stop()
        return bool(data)
