"""Signs moderators in to the admin site."""

from __future__ import annotations

from django.contrib.auth.models import Permission, User
from django.test import Client


def moderator(*permissions: str) -> Client:
    """Create a member of the staff with these permissions. Return a Django test client that is
    signed in as them."""
    user = User.objects.create_user("moderator", is_staff=True)
    user.user_permissions.add(*Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client
