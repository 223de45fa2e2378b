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
    Entrant,
    Event,
    Fixture,
    Intervention,
    League,
    LeagueDispute,
    LeaguePlayer,
    LeagueRuling,
    OfflineChange,
    OfflineGame,
    OfflineSeat,
    Penalty,
    RoundTable,
    Team,
    TeamPlayer,
    Tournament,
)
from lobby.friends.models import Friendship
from lobby.play.models import SavedRules, new_rules_key

__all__ = [
    "ApiToken",
    "Applicant",
    "BotAccount",
    "BotToken",
    "Club",
    "ClubGame",
    "Dispute",
    "Entrant",
    "Event",
    "ExerciseScore",
    "Fixture",
    "Friendship",
    "Intervention",
    "JoinRequest",
    "League",
    "LeagueDispute",
    "LeaguePlayer",
    "LeagueRuling",
    "Membership",
    "OfflineChange",
    "OfflineGame",
    "OfflineSeat",
    "Penalty",
    "Person",
    "RemovedMember",
    "RoundTable",
    "SavedRules",
    "SharedOrigin",
    "Team",
    "TeamPlayer",
    "Tournament",
    "new_invite_key",
    "new_rules_key",
    "revoke_tokens",
]
