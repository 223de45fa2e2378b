"""The base of refusals that pages explain with a text of their own."""

from __future__ import annotations


class CodedError(Exception):
    """An action is refused. `code` says why, and pages have a text for each code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
