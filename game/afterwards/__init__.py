"""What a finished game leaves behind beside its record: counts, ladders, ratings."""
