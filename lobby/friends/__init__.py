"""Friends of accounts: requests and friendships (`friendships`), tables of friends and invitations
to a table (`meeting`).

Blocks are in `game.moderation.blocks`, and `lobby.accounts.online` records who is online.
"""
