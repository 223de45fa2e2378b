"""Benchmarks of the server: ``python -m bench`` prints figures and checks no limits.

The benchmarks import Django's models, so this package sets Django up first.
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()
