"""Running tables, stored in Redis.

`service.Service` is the only writer: it decides on a room, drafts a commit and appends it if the
room has not changed. `store` keeps logs and snapshots, `worker` does what is due, `archive` moves a
finished game to the database. Knows nothing of sockets, frames and pages.
"""
