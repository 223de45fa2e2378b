"""Signs moderators in to the admin site."""

from __future__ import annotations

from django.contrib.auth.models import Permission, User
from django.test import Client


def moderator(*permissions: str) -> Client:
    """Return the browser of a new member of the staff who has these permissions."""
    user = User.objects.create_user("moderator", is_staff=True)
    user.user_permissions.add(*Permission.objects.filter(codename__in=permissions))
    browser = Client()
    browser.force_login(user)
    return browser
