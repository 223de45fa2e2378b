"""How fast the house is: ``python -m bench``. Prints figures, judges nothing."""
