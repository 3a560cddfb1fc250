"""What a player has played: the account history page by page, and one game with everything that happened in it."""
