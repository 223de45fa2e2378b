"""Analysis of a hand: shanten, useful tiles, danger of discards, value.

Owns what bots, help at the table and reviews compute about a hand. Pure: no Django, no asyncio, no
clock, no randomness. Must not know the wall or hidden hands: it works on the view of one seat.
"""
