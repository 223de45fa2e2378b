"""What the tests of clusters ask for by name."""

from tests.web.conftest import new_client

__all__ = ["new_client"]
