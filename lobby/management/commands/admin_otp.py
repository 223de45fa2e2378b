"""`manage.py admin_otp`: gives somebody of the admin site a second factor, or takes it away."""

from __future__ import annotations

from io import StringIO
from typing import Any

import segno
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from lobby.accounts.second_factor import make_device, remove_devices


class Command(BaseCommand):
    help = "Makes codes of an authenticator app the second factor of a user of the admin site."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--remove", action="store_true", help="take the second factor away")

    def handle(self, *args: Any, username: str, remove: bool, **options: Any) -> None:
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no user {username!r}.")
        if remove:
            self.stdout.write(f"{remove_devices(user)} devices removed.")
            return
        if not user.is_staff:
            raise CommandError(f"{username} has no staff status and cannot enter the admin site.")
        address, codes = make_device(user)
        self.stdout.write(
            "Scan this with an authenticator app, or enter the secret of the address:"
        )
        drawn = StringIO()
        segno.make(address).terminal(drawn, compact=True)
        self.stdout.write(drawn.getvalue())
        self.stdout.write(address)
        self.stdout.write("Recovery codes, each for one sign-in without the app:")
        self.stdout.write("\n".join(codes))
