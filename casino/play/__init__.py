"""The other side of the table: a person at a terminal, and bots. The service is known here from outside only."""
