"""Benchmarks of the server: ``python -m bench`` prints figures and checks no limits.

The objects of a process import Django's models, so Django is set up first.
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()
