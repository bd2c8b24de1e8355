from __future__ import annotations

import threading
from typing import Callable, Optional, Set


class Cancellation:
    """Ends the calls that it is given to: from another thread or after some seconds."""

    def __init__(self, after: Optional[float] = None) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._watchers: Set[Callable[[], None]] = set()
        if after is not None:
            timer = threading.Timer(after, self.cancel)
            timer.daemon = True
            timer.start()

    @property
    def is_cancelled(self) -> bool:
        return self._event.is_set()

    def cancel(self) -> None:
        with self._lock:
            self._event.set()
            watchers = list(self._watchers)
        for watcher in watchers:
            watcher()

    def wait(self, seconds: float) -> None:
        """Sleeps, but not on when it is cancelled."""
        self._event.wait(seconds)

    def watch(self, watcher: Callable[[], None]) -> None:
        with self._lock:
            self._watchers.add(watcher)
        if self.is_cancelled:
            watcher()

    def forget(self, watcher: Callable[[], None]) -> None:
        with self._lock:
            self._watchers.discard(watcher)
