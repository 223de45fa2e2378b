"""Accounts and guests: names, passwords, rate limits, settings, removal after absence.

Knows nothing of queues, pregame tables and pages.
"""
