"""Accounts and guests: names, passwords, profiles, limits, what is stored of a person."""
