"""The full-screen client: the same tables as in plain text, with a cursor, a mouse and colours. It needs Textual."""
