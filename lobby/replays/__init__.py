"""Pages of games after their end: previews, reviews, reports, and games of other sites.

The games themselves belong to `game.results`, `game.reviews` and `game.imports`.
"""
