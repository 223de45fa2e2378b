"""Fixtures for the tests of clusters."""

from tests.web.conftest import new_client

__all__ = ["new_client"]
