"""Bots of other people: their accounts and tokens, and the socket at which they play.

A bot account is a `Person` without a user, so that a seat, a game and a sanction refer to it as to
anybody else. Rules and the course of a game are not known here: bots act through the service of
running tables, and see what `game.engine.perspective` shows their seat.
"""
