"""What is kept: runs, journal rows, events, pages, notes."""
