"""A pytest plugin that adds a setting `colour` to `TableSettings` before the site is imported."""

from __future__ import annotations

import msgspec

from game.tables import settings

settings.TableSettings = msgspec.defstruct(  # type: ignore[assignment,misc]
    "TableSettings",
    [("colour", str, "")],
    bases=(settings.TableSettings,),
    module=settings.__name__,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
)
