"""Who is asking: the id of the person that the browser's session remembers.

The lobby writes it; tables compare it with the ids in their seats.
"""

from __future__ import annotations

from typing import Any, Final

SESSION_KEY: Final = "person"


async def person_of(session: Any) -> str:
    """The person's id, '' for somebody who has never sat down. Reads the session store."""
    person = await session.aget(SESSION_KEY, "")
    return person if isinstance(person, str) else ""
