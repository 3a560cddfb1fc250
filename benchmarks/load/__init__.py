"""Load generator: thousands of players at one table of a real server, `make load`."""
