"""The second factor of the admin site: codes of an authenticator app (TOTP), by django-otp.

`ADMIN_OTP` asks for it. Without the setting devices can be made, but nobody is asked for a code.
"""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

RECOVERY_CODES: Final = 8
_APP: Final = "authenticator app"
_RECOVERY: Final = "recovery codes"


def make_device(user: User) -> tuple[str, list[str]]:
    """Give the user a new device and new recovery codes instead of those they had.

    Returns the `otpauth://` address for the app, and the codes, each good for one sign-in.
    """
    with transaction.atomic():
        remove_devices(user)
        device = TOTPDevice.objects.create(user=user, name=_APP)
        recovery = StaticDevice.objects.create(user=user, name=_RECOVERY)
        codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
        recovery.token_set.bulk_create(StaticToken(device=recovery, token=code) for code in codes)
    return device.config_url, codes


def remove_devices(user: User) -> int:
    """Take all devices and codes from the user; the number of devices."""
    found = [*TOTPDevice.objects.filter(user=user), *StaticDevice.objects.filter(user=user)]
    for device in found:
        device.delete()
    return len(found)
