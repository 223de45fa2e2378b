"""The tables of the database that belong to people, clubs and events.

Django looks for all of them in this package.
"""

from lobby.accounts.models import ExerciseScore, Person, SharedOrigin
from lobby.bots.models import BotAccount, BotToken
from lobby.clubs.models import (
    ApiToken,
    Club,
    ClubGame,
    JoinRequest,
    Membership,
    RemovedMember,
    new_invite_key,
    revoke_tokens,
)
from lobby.events.models import (
    Applicant,
    Dispute,
    Event,
    EventPlayer,
    EventTable,
    OfflineChange,
    OfflineGame,
    OfflineSeat,
    Ruling,
    Team,
    TeamPlayer,
)
from lobby.friends.models import Friendship
from lobby.play.models import SavedRules, new_rules_key
from lobby.puzzles.models import PuzzleAnswer, PuzzleRating, PuzzleScore

__all__ = [
    "ApiToken",
    "Applicant",
    "BotAccount",
    "BotToken",
    "Club",
    "ClubGame",
    "Dispute",
    "Event",
    "EventPlayer",
    "EventTable",
    "ExerciseScore",
    "Friendship",
    "JoinRequest",
    "Membership",
    "OfflineChange",
    "OfflineGame",
    "OfflineSeat",
    "Person",
    "PuzzleAnswer",
    "PuzzleRating",
    "PuzzleScore",
    "RemovedMember",
    "Ruling",
    "SavedRules",
    "SharedOrigin",
    "Team",
    "TeamPlayer",
    "new_invite_key",
    "new_rules_key",
    "revoke_tokens",
]
