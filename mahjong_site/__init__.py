"""The site that holds the apps: settings, addresses, and how its processes start and end."""
