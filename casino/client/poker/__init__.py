"""Poker client for the terminal and bots: connection, strategies, bots, and a player at the terminal."""
