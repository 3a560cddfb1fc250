"""Database: tables, transactions and migrations. It knows how data is stored, and nothing of its meaning."""
