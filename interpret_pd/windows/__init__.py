"""Windows: where people look in and out. Requests become arrays; what was found becomes frames, words and JSON."""
