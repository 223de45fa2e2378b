"""The page of the calculator."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from lobby.learn.calculator import answer_context, keyboard
from lobby.learn.calculator_form import CalculatorForm
from lobby.learn.views import unchanging


@unchanging
@require_safe
def calculator(request: HttpRequest) -> HttpResponse:
    """Show the form, and what the hand of the address is worth, waits for, or should discard."""
    form = CalculatorForm(request.GET if "hand" in request.GET else None)
    context = {"form": form, "keyboard": keyboard()}
    if form.is_valid():
        context |= {"answer": answer_context(form)}
    return render(request, "learn/calculator.html", context)
