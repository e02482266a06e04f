"""Turns one question into a plan of to-dos, researches each, and writes a report of checked, cited sentences."""
