"""Live table: runs rounds of Ultimate Texas Hold'em. No other package changes a round."""
