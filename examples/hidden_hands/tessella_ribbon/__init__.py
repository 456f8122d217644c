"""Ribbon, a game for Tessella with hidden hands; `game` has its rules and its board, `locales` its texts."""
