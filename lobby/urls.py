"""Gathers the routes of the lobby's features."""

from __future__ import annotations

from lobby.accounts import urls as accounts_urls
from lobby.bots import urls as bots_urls
from lobby.clubs import urls as clubs_urls
from lobby.events import urls as events_urls
from lobby.friends import urls as friends_urls
from lobby.learn import urls as learn_urls
from lobby.play import urls as play_urls
from lobby.puzzles import urls as puzzles_urls
from lobby.replays import urls as replays_urls

app_name = "lobby"
urlpatterns = [
    *play_urls.urlpatterns,
    *puzzles_urls.urlpatterns,
    *learn_urls.urlpatterns,
    *clubs_urls.urlpatterns,
    *events_urls.urlpatterns,
    *replays_urls.urlpatterns,
    *accounts_urls.urlpatterns,
    *friends_urls.urlpatterns,
    *bots_urls.urlpatterns,
]
