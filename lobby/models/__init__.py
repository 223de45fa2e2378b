"""The tables of the database that belong to people, clubs and events.

Django looks for all of them in this package.
"""

from lobby.models.bots import BotAccount, BotToken
from lobby.models.clubs import (
    ApiToken,
    Club,
    ClubGame,
    JoinRequest,
    Membership,
    RemovedMember,
    new_invite_key,
    revoke_tokens,
)
from lobby.models.events import Applicant, Event, Team, TeamPlayer
from lobby.models.friends import Friendship
from lobby.models.leagues import Fixture, League, LeagueDispute, LeaguePlayer, LeagueRuling
from lobby.models.officials import Dispute, Intervention, Penalty
from lobby.models.offline_games import OfflineChange, OfflineGame, OfflineSeat
from lobby.models.people import ExerciseScore, Person, SharedOrigin
from lobby.models.saved_rules import SavedRules, new_rules_key
from lobby.models.tournaments import Entrant, RoundTable, Tournament

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
