"""GameScreen and watching in a terminal: plain coloured text, for people, pipes and screen readers."""
