"""Everything between a table and a socket.

Owns the consumer of a table's websocket, the messages of `docs/protocol.md`, the hub that encodes
each frame once for each audience, the queues of spectators, the delayed view, presence,
heartbeats and chat. `process.current` gives the objects of this process. Whether an action is
legal is not known here: the engine says it, by way of `game.tables.service`.
"""
