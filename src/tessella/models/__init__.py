"""Language models at the table: the game in words, as one seat may know it, and moves read from their answers."""

from tessella.models.disguise import Disguise
from tessella.models.episode import Episode
from tessella.models.harness import Limits, Result, Tally, as_bot, parse, play, prompt
from tessella.models.seat import SeatText

__all__ = ["Disguise", "Episode", "Limits", "Result", "SeatText", "Tally", "as_bot", "parse", "play", "prompt"]
