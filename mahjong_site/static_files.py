"""Serves static files, compressed."""

from __future__ import annotations

import gzip
import re
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

_ACCEPTS_GZIP: Final = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
_COMMENT: Final = re.compile(rb"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*$", re.DOTALL | re.MULTILINE)
_INDENTATION: Final = re.compile(rb"^[ \t]+", re.MULTILINE)
_COMPRESSIBLE: Final = ("text/", "image/svg+xml", "application/json", "application/javascript")
_MIN_BYTES: Final = 300
"""Smaller files are not compressed."""

_compressed_files: Final[dict[str, tuple[str, bytes]]] = {}
"""By path: the ETag and the compressed contents."""


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise gives no types here
    """WhiteNoise, but with whole bodies that are compressed at the first request.

    WhiteNoise's streamed bodies are synchronous iterators, which an ASGI server reads in a thread,
    with a warning. It also compresses only in a collecting step, which this site does not have.
    Scripts and style sheets are sent without comments.
    """

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        """Answer a request for this file."""
        found = static_file.get_response(request.method, request.META)
        body, path = b"", ""
        if found.file is not None:
            path = found.file.name if int(found.status) == HTTPStatus.OK else ""
            with found.file:
                body = found.file.read()
        headers = dict(found.headers)
        if headers.get("Content-Type", "").startswith(_COMPRESSIBLE):
            headers["Vary"] = "Accept-Encoding"
            if path and len(body) >= _MIN_BYTES and _accepts_gzip(request):
                body = _compress_once(path, headers["ETag"], body)
                headers["Content-Encoding"] = "gzip"
                headers["Content-Length"] = str(len(body))
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]
        for name, value in headers.items():
            response[name] = value
        response["X-Content-Type-Options"] = "nosniff"
        return response


def remove_comments(script: bytes) -> bytes:
    """Remove block comments that have lines of their own. Line numbers stay the same, for the
    errors that browsers report."""
    return _COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), script)


def _accepts_gzip(request: HttpRequest) -> bool:
    return bool(_ACCEPTS_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")))


def _compress_once(path: str, tag: str, body: bytes) -> bytes:
    """Return the contents of that file, compressed; the result is kept for its ETag."""
    known = _compressed_files.get(path)
    if known is None or known[0] != tag:
        lean = remove_comments(body) if path.endswith((".js", ".css")) else body
        if path.endswith(".css"):
            lean = _INDENTATION.sub(b"", lean)
        known = _compressed_files[path] = (tag, gzip.compress(lean, compresslevel=9, mtime=0))
    return known[1]
