"""The formats of Japanese pages."""
