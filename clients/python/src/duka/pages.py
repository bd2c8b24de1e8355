from __future__ import annotations

from typing import Any, Callable, Generic, Iterator, Optional, TypeVar

Row = TypeVar("Row")
Page = TypeVar("Page")


class Pages(Generic[Row, Page]):
    """A list: a `for` goes through all of its rows, `page()` fetches the first of its
    pages only.
    """

    def __init__(self, fetch: Callable[[Optional[str]], Any]) -> None:
        self._fetch = fetch

    def page(self) -> Page:
        first: Page = self._fetch(None)
        return first

    def __iter__(self) -> Iterator[Row]:
        cursor: Optional[str] = None
        while True:
            page = self._fetch(cursor)
            yield from page["data"]
            cursor = page["next_cursor"] if page["has_more"] else None
            if cursor is None:
                return
