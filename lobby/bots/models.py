"""Accounts of programs, and their tokens."""

from __future__ import annotations

from django.db import models

from lobby.accounts.models import Person, Token


class BotAccount(models.Model):
    """Marks a person as a program, permanently. The person has no user and never signs in."""

    person = models.OneToOneField(
        Person, on_delete=models.CASCADE, primary_key=True, related_name="bot_account"
    )
    owner = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="bots")
    is_open = models.BooleanField(default=False)
    """Whether anybody may add the bot to a table; otherwise only the owner."""
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.person)


class BotToken(Token):
    """A secret with which a program acts for a bot."""

    bot = models.ForeignKey(BotAccount, on_delete=models.CASCADE, related_name="tokens")
    scopes = models.JSONField(default=list)
