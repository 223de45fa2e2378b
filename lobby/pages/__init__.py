"""The pages of accounts, the lobby and pregame tables, and the sockets that update them.

Nothing but the routes imports this package.
"""
