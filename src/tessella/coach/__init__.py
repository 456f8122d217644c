"""What a teacher would say of a game that is over: which moves cost it, which deals made it; and puzzles from games."""
