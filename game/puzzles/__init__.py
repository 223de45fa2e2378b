"""Puzzles: decisions of played games with an answer that playouts confirm.

Owns what a puzzle is (`puzzle`), which decisions may become one (`candidates`), and how the two
best answers are played out (`playouts`). Pure. Works on what a seat saw, never on hidden tiles.
"""
