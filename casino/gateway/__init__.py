"""Socket.IO gateway for players and presenters."""
