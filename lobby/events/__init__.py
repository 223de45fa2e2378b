"""Events of clubs: who sits where in the rounds of a tournament, and the standings of a league.

Owns the methods of seating and the arithmetic of standings. Pure: no Django, no clock; chance comes
from a seed that is passed in. Must not know pages and tables: players are numbers or ids.
"""
