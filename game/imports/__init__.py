"""Imports games of other sites: reads an uploaded record, and stores its game for thirty days.

Owns the limits of such records and their rows in the database. Must not know requests and pages.
"""
