"""Bot accounts of people: registration and tokens, and the socket through which the bots play.

A bot account is a `Person` without a user, so that a seat, a game and a sanction refer to it as to
anybody else. Must not know rules and the course of a game: bots act through the service of running
tables, and get what `game.engine.perspective` shows to their seat.
"""
