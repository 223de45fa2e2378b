"""Pregame tables: their seats, rules and start. Also moves players between queues and tables.

Knows nothing of pages.
"""
