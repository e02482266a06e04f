"""Pure: bytes in, text with light Markdown structure, title and metadata out."""
