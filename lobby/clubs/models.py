"""Clubs: members, requests to join, games, tokens for programs."""

from __future__ import annotations

import secrets
from uuid import UUID

from django.db import models
from django.utils import timezone

from lobby.accounts.models import Person, Token


def new_invite_key() -> str:
    """Return a random key of an invitation link."""
    return secrets.token_urlsafe(16)


class Club(models.Model):
    """A club (`lobby.clubs`). Strangers cannot see a private one."""

    OPEN, REQUEST, INVITATION = "open", "request", "invitation"

    slug = models.SlugField(max_length=40, unique=True)
    """The name in the address. It does not change."""
    name = models.CharField(max_length=60)
    text = models.TextField(blank=True, max_length=20_000)
    """The text of the club's page, in Markdown."""
    html = models.TextField(blank=True, editable=False)
    """The text as HTML, rendered when it was saved."""
    renderer_version = models.PositiveSmallIntegerField(default=0, editable=False)
    """The `RENDERER_VERSION` of `lobby.clubs.page_text` that has made `html`."""
    is_public = models.BooleanField(default=True)
    entry = models.CharField(
        max_length=10, choices=((OPEN, "open"), (REQUEST, "request"), (INVITATION, "invitation"))
    )
    """How people join. People with the invitation link can always join."""
    invite_key = models.CharField(max_length=40, default=new_invite_key)
    """The key in the invitation link."""
    default_rules = models.ForeignKey(
        "SavedRules", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    """The rules and the clock that a new table of the club has at first."""
    is_site = models.BooleanField(default=False, editable=False)
    """Whether it is the club of the site: it has no owner, and its organisers are the accounts that
    have the permission to hold events of the site."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name",)
        permissions = (("hold_site_events", "Can hold events of the site"),)
        constraints = (
            models.UniqueConstraint(
                fields=("is_site",), condition=models.Q(is_site=True), name="one_site_club"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A member of a club. A club has one owner."""

    OWNER, ORGANISER, MEMBER = "owner", "organiser", "member"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(
        max_length=10,
        choices=((OWNER, "owner"), (ORGANISER, "organiser"), (MEMBER, "member")),
        default=MEMBER,
    )
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("joined_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("club", "person"), name="one_membership"),
            models.UniqueConstraint(
                fields=("club",), condition=models.Q(role="owner"), name="one_owner"
            ),
        )

    def __str__(self) -> str:
        return f"{self.person} in {self.club}"

    def end(self) -> None:
        """Delete the membership, with entries in events whose rounds have not begun. Those who
        wait for a place move up.

        If the owner leaves, the organiser who joined first becomes the owner; without organisers,
        the member who joined first. A club without members is deleted. Call it in a transaction.
        """
        for event in self.club.events.select_for_update():
            event.remove(self.person_id)
        revoke_tokens(self.club_id, self.person_id)
        self.delete()
        if self.role != self.OWNER:
            return
        rest = Membership.objects.filter(club=self.club_id)
        successor = rest.filter(role=self.ORGANISER).first() or rest.first()
        if successor is None:
            Club.objects.filter(pk=self.club_id).delete()
        else:
            rest.filter(pk=successor.pk).update(role=self.OWNER)


def revoke_tokens(club: int, officer: UUID) -> None:
    """Revoke the tokens that this person has made for the club."""
    tokens = ApiToken.objects.filter(club=club, made_by=officer, revoked_at=None)
    tokens.update(revoked_at=timezone.now())


class JoinRequest(models.Model):
    """A person's request to become a member of a club; deleted once it is answered."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="join_requests")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="join_requests")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("made_at", "pk")
        constraints = (models.UniqueConstraint(fields=("club", "person"), name="one_join_request"),)

    def __str__(self) -> str:
        return f"{self.person} asks for {self.club}"


class RemovedMember(models.Model):
    """Somebody whom officers have removed from a club, and who can come back only by a request."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="removed_members")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    removed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("club", "person"), name="one_removed_member"),
        )

    def __str__(self) -> str:
        return f"{self.person}, removed from {self.club}"


class ClubGame(models.Model):
    """A game of a club, running or finished. Stored before the table is opened."""

    table_id = models.CharField(max_length=40, primary_key=True)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="games")
    event = models.ForeignKey(
        "lobby.Event", on_delete=models.SET_NULL, null=True, blank=True, related_name="games"
    )
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = (models.Index(fields=("club", "-opened_at"), name="games_of_club"),)

    def __str__(self) -> str:
        return self.table_id


class ApiToken(Token):
    """A secret with which a program reads the events of a club (`lobby.clubs.api_tokens`)."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="api_tokens")
    made_by = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="api_tokens")
    """The officer who has made the token. It ends with their role."""
