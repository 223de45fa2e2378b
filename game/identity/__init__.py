"""Identity of visitors: the person whom the session of a browser names.

Knows Django's sessions and users, and nothing else of the project. Views of every package use it.
"""
