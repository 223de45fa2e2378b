"""The first page, the lobby's page, and the socket that keeps their fragments up to date."""
