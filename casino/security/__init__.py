"""Security shared by HTTP and sockets: client addresses, rate limits, origins and credentials."""
