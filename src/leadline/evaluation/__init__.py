"""Measures of quality over data that is read by path."""
