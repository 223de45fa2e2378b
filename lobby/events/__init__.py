"""The seating of tournaments and the standings of events.

Owns the methods of seating and the arithmetic of standings. Pure: no Django, no clock; random
choices depend on a seed that is passed in. Must not know pages and tables: players are numbers or
ids.
"""
