"""Client of the service: interactive play in a terminal, and bots. It uses the public protocol only."""
