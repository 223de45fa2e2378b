"""`manage.py admin_otp`: gives a user of the admin site a second factor (TOTP), or removes it.

The setting `ADMIN_OTP` asks for the codes. Without it devices can be made, but are not used.
"""

from __future__ import annotations

from io import StringIO
from typing import Any, Final

import segno
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

RECOVERY_CODES: Final = 8


class Command(BaseCommand):
    requires_system_checks = ()
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


def make_device(user: User) -> tuple[str, list[str]]:
    """Give the user a new device and new recovery codes instead of the former ones.

    Return the `otpauth://` address for the app, and the codes, each valid for one sign-in.
    """
    with transaction.atomic():
        remove_devices(user)
        device = TOTPDevice.objects.create(user=user, name="authenticator app")
        recovery = StaticDevice.objects.create(user=user, name="recovery codes")
        codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
        recovery.token_set.bulk_create(StaticToken(device=recovery, token=code) for code in codes)
    return device.config_url, codes


def remove_devices(user: User) -> int:
    """Take all devices and codes from the user. Return their number."""
    found = [*TOTPDevice.objects.filter(user=user), *StaticDevice.objects.filter(user=user)]
    for device in found:
        device.delete()
    return len(found)
