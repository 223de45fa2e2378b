"""Records of games: those of other systems are read and played again through the engine, those of
this house are also written.

`mjlog`, `tenhou6` and `mjai` read one format each into the common form of `recorded`; `replay`
takes a recorded hand through the engine, `compare` sets what came out beside what the record
says, `validate` does so for whole files. Knows the engine and nothing of rooms, sites or
databases.
"""
