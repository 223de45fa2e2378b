"""What goes over a table's websocket, as `docs/protocol.md` says.

`inbound` turns untrusted frames into typed messages, `outbound` turns what a viewer may
see into frames. Both know the engine and nothing else of the project.
"""
