"""Texts and examples for learning the game: lessons, exercises, yaku, points and the glossary.

All values come from the engine.
"""
