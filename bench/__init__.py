"""Figures that Leadline promises, each measured by `python -m bench.NAME`."""
