"""The form of a chat before a game: it writes a line, or reports one."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from game.live.inbound import MAX_LINE_CHARS
from game.tables.bridge import ask
from lobby.accounts.refusals import REFUSALS
from lobby.accounts.visitors import person_id
from lobby.play import chat
from lobby.play.backend import current_backend


def chat_context(place: chat.Place, reader: str, form_url: str) -> dict[str, Any]:
    """Return what the template of the chat shows to that reader. Raises TableError."""
    return {
        "chat_url": form_url,
        "chat_lines": ask(chat.read_lines(ask(current_backend()), place, reader)),
        "most_chars": MAX_LINE_CHARS,
    }


def answer_chat_form(
    request: HttpRequest, place: chat.Place, name: str, address: str
) -> HttpResponse:
    """Carry out the form of a visitor who may write there, under that name. A script that asks for
    text gets 204, or 422 with the reason; a browser without scripts is sent back to `address`.
    Raises TableError."""
    backend, person = ask(current_backend()), person_id(request)
    refused = ""
    try:
        if line := request.POST.get("report", ""):
            ask(chat.report_line(backend, place, line, person))
        else:
            ask(chat.write_line(backend, place, person, name, request.POST.get("text", "")))
    except chat.ChatRefused as refusal:
        refused = refusal.code
    if request.headers.get("Accept") == "text/plain":
        if not refused:
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        return HttpResponse(
            REFUSALS[refused], status=HTTPStatus.UNPROCESSABLE_ENTITY, content_type="text/plain"
        )
    return redirect(f"{address}?no={refused}#chat" if refused else f"{address}#chat")
