"""The formats of French pages."""
