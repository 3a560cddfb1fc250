"""What people say at the tables, and what they give the presenter: lines, unwanted words, mutes, tips."""
