"""What people learn the game with: lessons, examples of yaku, the sheet of points, the glossary.

Owns the texts and examples; all values come from the engine. Must not know pages.
"""
