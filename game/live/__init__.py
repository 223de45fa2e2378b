"""Sends running tables to sockets, and passes on what clients send.

Owns the consumer of a table's websocket, the messages of `docs/protocol.md`, the hub that encodes
each frame once for each viewer, the queues of spectators, the delayed view, presence, heartbeats
and chat. `process.current` gives the objects of this process. Must not know whether an action is
legal: `game.tables.service` asks the engine.
"""
