"""Sanctions and reports: what moderators decide, and how a ban takes effect at running tables."""
