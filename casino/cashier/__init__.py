"""Deposits and withdrawals between a player's account and a payment provider."""
