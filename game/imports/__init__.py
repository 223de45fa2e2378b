"""Games of other sites: reads a record that somebody sends, and stores it for thirty days.

Owns the limits of such records and their rows in the database. Must not know requests and pages.
"""
