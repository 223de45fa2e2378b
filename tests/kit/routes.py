"""Lists the addresses of the site, from the URL resolver."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver


def list_routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Yield the pattern of every address below that resolver, such as `table/<str:table_id>/`."""
    for url_pattern in resolver.url_patterns:
        route = before + str(url_pattern.pattern)
        if isinstance(url_pattern, URLResolver):
            yield from list_routes(url_pattern, route)
        else:
            assert isinstance(url_pattern, URLPattern)
            yield route


def is_admin_route(route: str) -> bool:
    return route.startswith("admin/")
