"""Rules of cash tables between hands: buying in, topping up, seating, the queue of a pool and the start of a hand."""
