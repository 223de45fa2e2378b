"""The Django project: settings, addresses, and the start and end of its processes."""
