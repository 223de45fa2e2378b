"""Third-party programs that speak mjai on their standard input and output.

Owns the names of such programs, their start with limits, the questions by the conventions of
`static/bots/mahjong_bot.py`, and their end. A program sees what a seat sees. Must not know Django,
Redis or running tables.
"""
