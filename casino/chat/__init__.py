"""Chat at the tables: messages, moderation by word filter and mutes, and tips for the presenter."""
