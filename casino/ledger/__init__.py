"""Double-entry ledger: the only place where money moves. It knows accounts and amounts, and no game."""
