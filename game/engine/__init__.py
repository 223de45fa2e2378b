"""The pure rules of riichi mahjong: values in, values out.

Imports nothing but the standard library, msgspec, mahjong and xiangting; knows no
clock, no randomness, no network, no database. Its verbs:

    decide(table, command) -> Accepted | Rejected | Stale   may this happen?
    evolve(table, event)   -> Table                         it happened
    legal(table, seat)     -> tuple[Action, ...]            what may this seat do now?
    redact(event, viewer)  -> Event | None                  what may this viewer learn?
    view(table, viewer)    -> Table                         what may this viewer know?
"""
