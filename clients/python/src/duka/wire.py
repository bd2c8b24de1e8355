from __future__ import annotations

import os
import selectors
import socket
import ssl
import threading
from collections import deque
from email.message import Message
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Callable, Deque, Dict, Optional, Tuple
from urllib.parse import urlsplit

from .cancellation import Cancellation
from .errors import DukaCancelledError, DukaConnectionError, DukaTimeoutError

Answer = Tuple[int, Message, bytes]
Request = Tuple[str, str, Optional[bytes], Dict[str, str]]
"""Method, target, body, headers."""

IDLE_MAX = 10


class Wire:
    """Connections to the service, kept while they are idle."""

    def __init__(self, base_url: str, ssl_context: Optional[ssl.SSLContext]) -> None:
        parts = urlsplit(base_url.rstrip("/"))
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("base_url has the form https://api.example.com")
        host, port = parts.hostname, parts.port
        self._prefix = parts.path
        self._new: Callable[[], HTTPConnection] = lambda: (
            HTTPConnection(host, port)
            if parts.scheme == "http"
            else HTTPSConnection(host, port, context=ssl_context)
        )
        self._idle: Deque[HTTPConnection] = deque(maxlen=IDLE_MAX)
        self._process = os.getpid()

    def exchange(
        self,
        request: Request,
        key: Optional[str],
        timeout: float,
        cancellation: Optional[Cancellation],
    ) -> Answer:
        if cancellation is not None and cancellation.is_cancelled:
            raise DukaCancelledError(key)
        method, target, body, headers = request
        connection = self._connection()
        attempt = _Attempt(connection)
        timer = threading.Timer(timeout, attempt.time_out)
        timer.daemon = True
        try:
            timer.start()
            if cancellation is not None:
                cancellation.watch(attempt.cancel)
            if connection.sock is None:
                connection.timeout = timeout
                connection.connect()
            else:
                connection.sock.settimeout(timeout)
            attempt.begin()
            connection.request(method, self._prefix + target, body, headers)
            response = connection.getresponse()
            answer = (response.status, response.msg, response.read())
            attempt.finish()
        except (OSError, HTTPException) as error:
            connection.close()
            if attempt.ended == "cancelled":
                raise DukaCancelledError(key) from error
            if attempt.ended == "timeout" or isinstance(error, socket.timeout):
                text = f"No answer came within {timeout} s."
                raise DukaTimeoutError(text, key) from error
            raise DukaConnectionError("No whole answer came.", key) from error
        except BaseException:
            connection.close()
            raise
        finally:
            timer.cancel()
            if cancellation is not None:
                cancellation.forget(attempt.cancel)
        if connection.sock is not None:
            self._idle.append(connection)
        return answer

    def _connection(self) -> HTTPConnection:
        # Two processes would read each other's answers.
        if self._process != os.getpid():
            self._idle.clear()
            self._process = os.getpid()
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return self._new()
            if _is_quiet(connection.sock):
                return connection
            connection.close()


class _Attempt:
    """Ends a request from another thread, by shutting its socket."""

    def __init__(self, connection: HTTPConnection) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._socket: Optional[socket.socket] = None
        self.ended: Optional[str] = None

    def begin(self) -> None:
        self._use(self._connection.sock)

    def finish(self) -> None:
        """What was read from a socket that was shut may look whole."""
        self._use(None)

    def time_out(self) -> None:
        self._end("timeout")

    def cancel(self) -> None:
        self._end("cancelled")

    def _use(self, sock: Optional[socket.socket]) -> None:
        with self._lock:
            self._socket = sock
            if self.ended is not None:
                raise ConnectionAbortedError

    def _end(self, how: str) -> None:
        with self._lock:
            self.ended = self.ended or how
            if self._socket is None:
                return
            try:
                # Not SSLSocket's: it takes away what the other thread reads from.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            except OSError:
                pass


def _is_quiet(sock: socket.socket) -> bool:
    """What can be read from an idle connection is its end."""
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return not selector.select(timeout=0)
