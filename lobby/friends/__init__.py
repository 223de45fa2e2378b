"""Friends of accounts: requests and friendships (`friendships`), where friends play and how they
are invited to a table (`meeting`).

Who blocks whom is in `game.moderation.blocks`, who is online in `lobby.accounts.online`. Must not
know pages and sockets.
"""
