"""Search backends and their registry."""
