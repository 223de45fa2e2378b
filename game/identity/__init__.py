"""Identity of visitors: which person a browser's session belongs to.

Knows Django's sessions and users, and nothing else of the project. Views of every package use it.
"""
