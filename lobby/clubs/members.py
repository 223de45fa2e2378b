"""Founds, changes and deletes clubs, and manages their members and roles.

An owner and organisers are officers. Organisers write the page, manage the rules, accept and remove
members. The owner also names organisers, changes the name and the access, transfers the club, and
deletes it. Every change checks the role again in its transaction.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from django.db import IntegrityError
from django.db.models import Count
from django.utils.safestring import SafeString, mark_safe

from lobby.accounts.transactions import change_locked, in_transaction
from lobby.clubs.page_text import RENDERER_VERSION, render_markdown, render_or_quote
from lobby.models import (
    Club,
    Event,
    JoinRequest,
    Membership,
    Person,
    RemovedMember,
    SavedRules,
    new_invite_key,
    revoke_tokens,
)

MAX_OWNED: Final = 5
"""The most clubs of one owner."""
OFFICERS: Final = (Membership.OWNER, Membership.ORGANISER)
SITE: Final = "site"
"""The address of the site's own club, which holds the events of the site."""
HOLD_EVENTS: Final = "lobby.hold_site_events"

Joined = Literal["joined", "asked", "closed"]


class AddressTaken(Exception):
    """Another club has this address."""


class TooManyClubs(Exception):
    """The person owns the maximum number of clubs."""


class NotAllowed(Exception):
    """The person's role in the club does not allow the action."""


@dataclass(frozen=True, slots=True)
class ClubAccess:
    """A club and the role of a person there; '' for a stranger."""

    club: Club
    role: str

    @property
    def is_member(self) -> bool:
        return bool(self.role)

    @property
    def may_see_club(self) -> bool:
        return self.club.is_public or self.is_member

    @property
    def may_delete_events(self) -> bool:
        return self.is_owner or (self.club.is_site and self.is_officer)

    def may_see(self, event: Event) -> bool:
        """Return whether the person may see the pages of that event of the club."""
        return event.is_public or self.is_member

    @property
    def is_officer(self) -> bool:
        return self.role in OFFICERS

    @property
    def is_owner(self) -> bool:
        return self.role == Membership.OWNER


def find_club(slug: str, person: str) -> ClubAccess | None:
    """Return the club if that person may see it, else None. `person` is an id, '' for nobody."""
    access = find_access(slug, person)
    return access if access is not None and access.may_see_club else None


def find_access(slug: str, person: str) -> ClubAccess | None:
    """Return the club with the role of that person; None if there is no such club. The person need
    not be allowed to see it: the caller checks that."""
    if slug == SITE and person:
        in_transaction(lambda: _update_site_role(UUID(person)))
    club = Club.objects.filter(slug=slug).first()
    return None if club is None else ClubAccess(club, _role_of(club, person))


def may_hold_site_events(person: Person | None) -> bool:
    """Return whether the person has an account with the permission to hold events of the site."""
    return person is not None and _may_hold(person.pk)


def _may_hold(person: UUID) -> bool:
    found = Person.objects.select_related("user").filter(pk=person).first()
    return found is not None and found.user is not None and found.user.has_perm(HOLD_EVENTS)


def _update_site_role(person: UUID) -> None:
    """Make the person an organiser of the site's club if they have the permission, and remove the
    role otherwise. The first person with the permission founds the club."""
    club = Club.objects.filter(slug=SITE).first()
    if club is not None and not club.is_site:
        return  # a club of people already has the address
    if not _may_hold(person):
        own = Membership.objects.filter(club=club, person=person, role=Membership.ORGANISER)
        if club is not None and own.update(role=Membership.MEMBER):
            revoke_tokens(club.pk, person)
        return
    if club is None:
        terms = {"slug": SITE, "name": "Official events", "entry": Club.OPEN}
        club, _made = Club.objects.get_or_create(is_site=True, defaults=terms)
    Membership.objects.update_or_create(
        club=club, person_id=person, defaults={"role": Membership.ORGANISER}
    )


def is_officer(club: Club, person: Person) -> bool:
    """Read from the database whether the person is an officer; in the site's club the permission
    is needed too, because it may have been withdrawn.
    """
    officers = Membership.objects.filter(club=club, role__in=OFFICERS)
    found = officers.filter(person=person).select_related("club").first()
    return found is not None and keeps_role(found)


def keeps_role(officer: Membership) -> bool:
    """Return whether the officer may still act. In the site's own club that needs a permission,
    which may have been withdrawn.
    """
    return not officer.club.is_site or _may_hold(officer.person_id)


def find_invited(slug: str, key: str) -> Club | None:
    """Return the club if `key` is the key of its invitation link, else None."""
    club = Club.objects.filter(slug=slug).first()
    if club is None or not hmac.compare_digest(club.invite_key.encode(), key.encode()):
        return None
    return club


def clubs_of(person: Person | None) -> list[Membership]:
    """Return the memberships of that person with their clubs, by the clubs' names."""
    if person is None:
        return []
    rows = Membership.objects.filter(person=person).select_related("club").order_by("club__name")
    rows = rows.annotate(member_count=Count("club__memberships"))
    return list(rows)


def create_club(person: Person, *, slug: str, name: str, is_public: bool, entry: str) -> Club:
    """Make a club whose owner the person is. Raises AddressTaken, TooManyClubs."""

    def found() -> Club:
        owned = Membership.objects.filter(person=person, role=Membership.OWNER)
        if owned.count() >= MAX_OWNED:
            raise TooManyClubs
        club = Club.objects.create(slug=slug, name=name, is_public=is_public, entry=entry)
        Membership.objects.create(club=club, person=person, role=Membership.OWNER)
        return club

    try:
        return in_transaction(found)
    except IntegrityError:
        raise AddressTaken from None


def change_settings(
    access: ClubAccess, *, name: str, is_public: bool, entry: str, by: Person
) -> None:
    """Change the settings of the club. Raises NotAllowed."""

    def change() -> None:
        _require_role(access.club, by, Membership.OWNER)
        Club.objects.filter(pk=access.club.pk).update(name=name, is_public=is_public, entry=entry)

    in_transaction(change)


def change_text(access: ClubAccess, text: str, *, by: Person) -> None:
    """Change the text of the club's page. Raises NotAllowed, TooComplex."""
    html = render_markdown(text)

    def change() -> None:
        _require_role(access.club, by, *OFFICERS)
        Club.objects.filter(pk=access.club.pk).update(
            text=text, html=html, renderer_version=RENDERER_VERSION
        )

    in_transaction(change)


def html_of(club: Club) -> SafeString:
    """Return the text of the club's page as HTML. If another version of the renderer made the
    stored HTML, render it again and store it.
    """
    if club.renderer_version != RENDERER_VERSION:
        club.html = render_or_quote(club.text)
        # The text may have been changed in the meantime, and rendered.
        rows = Club.objects.filter(pk=club.pk, text=club.text)
        rows.update(html=club.html, renderer_version=RENDERER_VERSION)
    return mark_safe(club.html)


def set_default_rules(access: ClubAccess, key: str, *, by: Person) -> bool:
    """Make rules of the club the default of its tables; '' for none. Return False if the club has
    no rules of that key. Raises NotAllowed."""

    def change() -> bool:
        _require_role(access.club, by, *OFFICERS)
        rules = SavedRules.objects.filter(club=access.club, pk=key).first() if key else None
        if key and rules is None:
            return False
        Club.objects.filter(pk=access.club.pk).update(default_rules=rules)
        return True

    return in_transaction(change)


def delete_club(access: ClubAccess, *, by: Person) -> None:
    """Delete the club. Its games stay. Raises NotAllowed."""

    def delete() -> None:
        _require_role(access.club, by, Membership.OWNER)
        Club.objects.filter(pk=access.club.pk).delete()

    in_transaction(delete)


def join(club: Club, person: Person, *, is_invited: bool = False) -> Joined:
    """Make the person a member, or request membership, depending on the club's settings. A removed
    member needs the consent of an officer."""

    def enter(current: Club) -> Joined:
        if Membership.objects.filter(club=current, person=person).exists():
            return "joined"
        if current.entry == Club.INVITATION and not is_invited:
            return "closed"
        was_removed = RemovedMember.objects.filter(club=current, person=person).exists()
        if not was_removed and (is_invited or current.entry == Club.OPEN):
            Membership.objects.create(club=current, person=person)
            JoinRequest.objects.filter(club=current, person=person).delete()
            return "joined"
        JoinRequest.objects.get_or_create(club=current, person=person)
        return "asked"

    return change_locked(club, enter)


def leave(club: Club, person: Person) -> bool:
    """End the person's membership or request. Return False for the owner, who must transfer or
    delete the club."""

    def end(current: Club) -> bool:
        JoinRequest.objects.filter(club=current, person=person).delete()
        own = Membership.objects.filter(club=current, person=person).first()
        if own is not None and own.role == Membership.OWNER:
            return False
        if own is not None:
            own.end()
        return True

    return change_locked(club, end)


def answer_request(access: ClubAccess, person: UUID, *, is_accepted: bool, by: Person) -> bool:
    """Accept or decline a request. Return False if there is none. Raises NotAllowed."""

    def answer() -> bool:
        _require_role(access.club, by, *OFFICERS)
        deleted, _ = JoinRequest.objects.filter(club=access.club, person=person).delete()
        if deleted and is_accepted:
            Membership.objects.get_or_create(club=access.club, person_id=person)
            RemovedMember.objects.filter(club=access.club, person=person).delete()
        return bool(deleted)

    return in_transaction(answer)


def remove_member(access: ClubAccess, person: UUID, *, by: Person) -> bool:
    """Remove a member; only the owner can remove an organiser. Make a new invitation link, because
    the removed member knows the old one. Return False if there is no such member. Raises
    NotAllowed.
    """

    def remove() -> bool:
        role = _require_role(access.club, by, *OFFICERS)
        found = Membership.objects.filter(club=access.club, person=person).first()
        if found is None:
            return False
        if found.role == Membership.OWNER or (
            found.role == Membership.ORGANISER and role != Membership.OWNER
        ):
            raise NotAllowed
        found.end()
        RemovedMember.objects.get_or_create(club=access.club, person_id=person)
        Club.objects.filter(pk=access.club.pk).update(invite_key=new_invite_key())
        return True

    return in_transaction(remove)


def set_role(access: ClubAccess, person: UUID, role: str, *, by: Person) -> bool:
    """Give a member a role. If it is that of the owner, the former owner becomes an organiser.
    Return False if there is no such member. Raises NotAllowed."""

    def change() -> bool:
        _require_role(access.club, by, Membership.OWNER)
        others = Membership.objects.filter(club=access.club).exclude(role=Membership.OWNER)
        if not others.filter(person=person).exists():
            return False
        if role == Membership.OWNER:
            own = Membership.objects.filter(club=access.club, person=by)
            own.update(role=Membership.ORGANISER)
        Membership.objects.filter(club=access.club, person=person).update(role=role)
        if role not in OFFICERS:
            revoke_tokens(access.club.pk, person)
        return True

    return in_transaction(change)


def renew_invitation(access: ClubAccess, *, by: Person) -> None:
    """Make a new invitation link; the former one stops working. Raises NotAllowed."""

    def renew() -> None:
        _require_role(access.club, by, *OFFICERS)
        Club.objects.filter(pk=access.club.pk).update(invite_key=new_invite_key())

    in_transaction(renew)


def _require_role(club: Club, person: Person, *roles: str) -> str:
    """Lock the club and return the person's role. Raises NotAllowed unless the role is one of
    `roles`.
    """
    list(Club.objects.select_for_update().filter(pk=club.pk))
    own = Membership.objects.filter(club=club, person=person, role__in=roles).first()
    if own is None:
        raise NotAllowed
    return own.role


def _role_of(club: Club, person: str) -> str:
    if not person:
        return ""
    rows = Membership.objects.filter(club=club, person=UUID(person)).values_list("role", flat=True)
    return rows.first() or ""
