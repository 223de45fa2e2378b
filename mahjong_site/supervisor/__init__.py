"""Runs the site on one machine: web servers, workers, and Redis if none is named.

Owns the order in which processes start and end, their restarts and their replacement. Must not know
the work of the processes. `manage.py run` and `manage.py serve` are its two configurations.
"""
