"""Cards, hand ranking and shuffling, shared by all card games and independent of them."""
