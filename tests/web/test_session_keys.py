"""Sessions whose person a process looks up by their key, beside the page that may answer them."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY
from django.contrib.auth import SESSION_KEY as USER_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore

from game.identity.sessions import SESSION_KEY, person_of_key

pytestmark = pytest.mark.django_db


def test_look_up_after_a_new_secret_key_leaves_the_session_to_the_page(settings: Any) -> None:
    """Django renews the key of such a session. Only a page can tell the browser the new one."""
    user = User.objects.create_user("anna")
    session = SessionStore()
    session[SESSION_KEY], session[USER_KEY] = "person", str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    key = session.session_key
    assert key is not None
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another-key", [settings.SECRET_KEY]
    assert person_of_key(key) == "person"
    assert SessionStore(key).get(SESSION_KEY) == "person"
    settings.SECRET_KEY_FALLBACKS = []
    assert person_of_key(key) == ""
