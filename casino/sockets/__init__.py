"""Players and presenters over Socket.IO."""
