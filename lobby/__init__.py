"""The Django app of the people: accounts, and how they get to a table."""
