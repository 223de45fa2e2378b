"""Static files, served by the site itself and compressed on their way."""

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
_LEAST_BYTES: Final = 300
"""Below this the headers outweigh what is won."""

_kept: Final[dict[str, tuple[str, bytes]]] = {}
"""By path: an ETag, and the compressed contents that it names."""


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise gives no types here
    """WhiteNoise with bodies in one piece, and compressed.

    Its streamed bodies are synchronous iterators, which an ASGI server can only take by
    collecting them in a thread, with a warning. The files of this site are small. It also
    compresses only in a collecting step, which this site does without: here each file is
    compressed when it is first asked for, scripts and style sheets without what is
    written for their readers.
    """

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        """The answer to a request for this file."""
        found = static_file.get_response(request.method, request.META)
        body, path = b"", ""
        if found.file is not None:
            path = found.file.name if int(found.status) == HTTPStatus.OK else ""
            with found.file:
                body = found.file.read()
        headers = dict(found.headers)
        if headers.get("Content-Type", "").startswith(_COMPRESSIBLE):
            headers["Vary"] = "Accept-Encoding"
            if path and len(body) >= _LEAST_BYTES and _accepts_gzip(request):
                body = _compressed(path, headers["ETag"], body)
                headers["Content-Encoding"] = "gzip"
                headers["Content-Length"] = str(len(body))
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]
        for name, value in headers.items():
            response[name] = value
        response["X-Content-Type-Options"] = "nosniff"
        return response


def uncommented(script: bytes) -> bytes:
    """The script or style sheet without the block comments that stand on lines of their own.
    Every line keeps its number, so that what a browser reports can be found."""
    return _COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), script)


def _accepts_gzip(request: HttpRequest) -> bool:
    return bool(_ACCEPTS_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")))


def _compressed(path: str, tag: str, body: bytes) -> bytes:
    """These contents of that file, compressed once for each ETag."""
    known = _kept.get(path)
    if known is None or known[0] != tag:
        lean = uncommented(body) if path.endswith((".js", ".css")) else body
        if path.endswith(".css"):
            lean = _INDENTATION.sub(b"", lean)
        known = _kept[path] = (tag, gzip.compress(lean, compresslevel=9, mtime=0))
    return known[1]
