"""Benchmarks of the server: ``python -m bench`` prints figures and judges nothing."""
