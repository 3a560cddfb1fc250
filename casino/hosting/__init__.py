"""Hosting of running tables of any game: mailbox, dispatch, commit log, and the seams to other processes."""
