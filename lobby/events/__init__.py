"""Events of clubs: their players, seating, standings and rulings.

Owns who takes part, who sits where, what counts and what officials decide. Standings follow from
results each time and are never stored. Running tables are opened through `lobby.play`.
"""
