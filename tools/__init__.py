"""Programs for the people who work on the site; the site itself does not need them."""
