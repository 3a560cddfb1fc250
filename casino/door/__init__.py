"""What is asked of everybody at the door, over HTTP and over sockets alike: from where, how often, with what token."""
