"""Accounts and guests: names, passwords, rate limits, settings, removal after absence.

Must not know the other features; its pages may.
"""
