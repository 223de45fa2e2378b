"""Running tables, held in Redis: who may change them, how they are kept, who is told.

`service` is the only writer. Rules are the engine's business, frames the wire's.
"""
