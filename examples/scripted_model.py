"""A language model's seat, with a script in the place of the model: what a real one needs to play in the benchmark.

PYTHONPATH=examples tessella benchmark azul scripted_model:player
"""

from tessella.models import as_bot

LISTED = "Your legal moves:\n\n"


def answer(prompt):
    """Return the answer to a prompt, in words; a real model is asked here."""
    moves = prompt.split(LISTED)[1].split("\n")[0].split()
    kept = [move for move in moves if not move.endswith("-")]
    return f"I keep my floor clean and take what is listed last.\nMOVE: {(kept or moves)[-1]}"


def player(game):
    """Return the script as a bot."""
    return as_bot(game, answer)


if __name__ == "__main__":
    print(answer(f"{LISTED}1b1 1b- 2r5\n"))
