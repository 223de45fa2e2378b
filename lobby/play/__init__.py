"""How people get to a table: queues, tables before the game, quick play, the watch list, rules.

Owns each player's location and the settings that can be chosen for a table. Clubs ask through
`club_tables`. Must not know events, bots of players and friends.
"""
