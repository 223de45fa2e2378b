"""The formats of English pages."""
