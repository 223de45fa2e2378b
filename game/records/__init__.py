"""Records of games: reads those of other systems and of this site, replays them, and writes those
of this site.

`mjlog`, `tenhou6`, `mjai` and `majiang` read one format each into the common form of `recorded`.
`replay` plays a recorded hand in the engine, `compare` compares the result with the record,
`validate` does both for whole files. The modules `writing_*` write games of this site (`own`);
`formats` lists them. Owns the formats and the comparison. Must not know rooms,
sites or databases.
"""
