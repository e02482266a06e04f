"""Runs over HTTP: an API, events as they happen, and a page. Read in this order: app, runs, feeds, then access and guard."""
