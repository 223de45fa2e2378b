"""Tools of operators: metrics, maintenance, administration of running tables, data exports.

Knows running tables through `game.tables` and `game.live.process`. Nothing below imports it.
"""
