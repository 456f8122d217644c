"""Background tasks of a worker."""

import asyncio
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Background(ABC):
    """An async context manager whose task runs while the block does."""

    _task: "asyncio.Task[None] | None" = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self.run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    @abstractmethod
    async def run(self) -> None:
        """Do the work; cancelled at the end of the block."""
