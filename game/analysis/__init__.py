"""What can be worked out of a hand: shanten, useful tiles, danger of a discard, value.

Pure: no Django, no asyncio, no clock, no randomness. Help at the table, bots and reviews share
it. It sees a view of one seat and never the wall or another hand.
"""
