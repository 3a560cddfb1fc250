"""Thousands of players at one table of a real server: `make load`."""
