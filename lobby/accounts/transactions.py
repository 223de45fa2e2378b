"""Runs changes of the database in transactions, and changes locked rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model

T = TypeVar("T")


def in_transaction(change: Callable[[], T]) -> T:
    """Call `change` in a transaction and return its result."""
    return transaction.atomic(change)()


def change_locked(row: Model, change: Callable[[Any], T]) -> T:
    """Call `change` in a transaction with the row as it is now, locked."""
    rows = type(row)._default_manager
    return in_transaction(lambda: change(rows.select_for_update().get(pk=row.pk)))
