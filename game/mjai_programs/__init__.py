"""Programs of others that speak mjai on their standard input and output.

Owns how they are named, started with limits, asked by the conventions of
`static/bots/mahjong_bot.py`, and ended. A program sees what a seat sees. Must not know Django,
Redis or running tables.
"""
