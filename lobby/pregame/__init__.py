"""Pregame tables: their seats, rules and start. Also moves players between queues and tables.

Must not know pages.
"""
