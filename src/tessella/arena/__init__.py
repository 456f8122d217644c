"""The arena: bot-vs-bot matches on the same deals, with confidence intervals for their strength."""
