"""Events of clubs: who sits where in the rounds of a tournament.

Owns the methods of seating. Pure: no Django, no clock; chance comes from a seed that is passed in.
Must not know pages, tables and people: players are numbers from 1.
"""
