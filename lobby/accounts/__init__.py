"""Accounts and guests: names, passwords, rate limits, settings, removal after absence.

Must not know queues, pregame tables and pages.
"""
