"""Programs for developers of the site; the site itself does not need them."""
