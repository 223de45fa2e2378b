"""Connections to Redis: addresses, clients, batched commands, a cluster.

The only package that imports redis-py. It knows nothing of tables, people or the lobby.
"""
