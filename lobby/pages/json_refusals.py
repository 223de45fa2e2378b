"""Answers of the interfaces for programs that refuse something: JSON with the reason."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from django.http import HttpResponse, JsonResponse

from game.tables.errors import TableError
from lobby.accounts import rate_limits


class RequestRefused(Exception):
    """The request is refused with that status; the message says why."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


async def answer_json(answer: Callable[[], Awaitable[HttpResponse]]) -> HttpResponse:
    """Return the answer, or the reason of a refusal as JSON."""
    try:
        return await answer()
    except RequestRefused as refusal:
        return JsonResponse({"error": str(refusal)}, status=refusal.status)
    except rate_limits.TooOften:
        return JsonResponse({"error": "too many requests"}, status=HTTPStatus.TOO_MANY_REQUESTS)
    except (TableError, rate_limits.LimitsUnavailable):
        text = "not possible at the moment"
        return JsonResponse({"error": text}, status=HTTPStatus.SERVICE_UNAVAILABLE)
