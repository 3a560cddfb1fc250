"""Users: names, passwords, roles and opening balances. It knows no table and no transport."""
