"""Games in words: translations, narration, and renderers for plain text and screen readers."""
