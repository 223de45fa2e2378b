"""The rules of riichi mahjong as pure functions of immutable values.

Owns the state of a table, what can be asked of it and what can happen at it. Imports the standard
library, msgspec, mahjong and xiangting. Must not know clocks, randomness, networks or databases.
Its main functions:

    decide(table, command) -> Accepted | Rejected | Stale   which events follow from a command
    evolve(table, event)   -> Table                         the table after an event
    legal(table, seat)     -> tuple[Action, ...]            what a seat may do now
    redact(event, viewer)  -> Event | None                  an event as a viewer may see it
    view(table, viewer)    -> Table                         a table as a viewer may see it
"""
