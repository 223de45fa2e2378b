"""Reports by people, and what moderators decide: mutes and bans.

`reports` keeps a reported chat line or player for the moderators. `sanctions` says who is muted or
banned; `bans` removes banned people from running tables. Moderators read reports and write
sanctions in the admin site (`game.admin`). Sockets and frames are not known here.
"""
