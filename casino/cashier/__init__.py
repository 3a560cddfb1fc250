"""Deposits and withdrawals: between a player's account and the outside world, by way of a payment provider."""
