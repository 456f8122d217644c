#!/usr/bin/env python3
"""Check that the deals of a recorded game of Azul follow from its seed. Needs Python only, nothing of Tessella.

It follows every tile, for bag and lid decide what can be drawn. Use: verify_azul.py FILE
"""

import sys
from hashlib import sha256
from hmac import digest as hmac
from itertools import count
from struct import unpack

COLOURS = "byrkw"


def digest(*parts):
    raw = [part.encode() if isinstance(part, str) else part for part in parts]
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in raw)).digest()


def dice(key, deal):
    stream = hmac(key, str(deal).encode(), "sha256")
    words = (word for n in count() for word in unpack(">4Q", hmac(stream, n.to_bytes(8, "big"), "sha256")))
    return lambda n: next(word for word in words if word < 2**64 - 2**64 % n) % n


class Table:
    def __init__(self, seats, grey):
        self.seats, self.grey, self.start, self.bag, self.lid = seats, grey, None, COLOURS * 20, ""
        self.lines, self.walls, self.floors = [[""] * 5 for _ in range(seats)], [{} for _ in range(seats)], [""] * seats

    def deal(self, below):
        first = f"{below(self.seats)}:" if self.start is None else ""
        self.start = self.seat = int(first[0]) if first else self.start
        self.heaps = [""] * (2 * self.seats + 1) + ["m"]
        for factory in [factory for factory in range(2 * self.seats + 1) for _ in range(4)]:
            self.bag, self.lid = (self.bag, self.lid) if self.bag else (self.lid, "")
            if self.bag:  # drawn as if the bag lay sorted: it has no order of its own
                tile = sorted(self.bag, key=COLOURS.index)[below(len(self.bag))]
                self.bag, self.heaps[factory] = self.bag.replace(tile, "", 1), self.heaps[factory] + tile
        return "*" + first + " ".join("".join(sorted(heap, key=COLOURS.index)) or "-" for heap in self.heaps[:-1])

    def take(self, source, colour, line):
        place, seat, self.seat = -1 if source == "c" else int(source) - 1, self.seat, (self.seat + 1) % self.seats
        heap, self.heaps[place] = self.heaps[place], ""
        tiles, rest = colour * heap.count(colour), heap.replace(colour, "")
        self.heaps[-1] += rest if source != "c" else rest.replace("m", "")
        self.floors[seat] += "m" if source == "c" and "m" in rest else ""
        if line != "-":
            filled = self.lines[seat][int(line) - 1] + tiles
            self.lines[seat][int(line) - 1], tiles = filled[: int(line)], filled[int(line) :]
        self.fall(seat, tiles)
        for player in range(self.seats) if not "".join(self.heaps).strip("m") else ():
            self.tile(player)

    def fall(self, seat, tiles):
        room = max(0, 7 - len(self.floors[seat]))
        self.floors[seat], self.lid = self.floors[seat] + tiles[:room], self.lid + tiles[room:]

    def tile(self, seat, choice=""):
        for row, line in enumerate(self.lines[seat]):
            if len(line) > row:
                taken = {column for (r, column), tile in self.walls[seat].items() if r == row or tile == line[0]}
                spaces = range(5) if self.grey else [(COLOURS.index(line[0]) + row) % 5]
                free = [column for column in spaces if column not in taken]
                if len(free) > 1 and choice[:2] != f"t{row + 1}":
                    return  # the player must choose
                if free:
                    self.walls[seat][row, free[0] if len(free) == 1 else int(choice[2]) - 1] = line[0]
                self.lines[seat][row], self.lid = "", self.lid + line[1:] * bool(free)
                self.fall(seat, line * (not free))
        self.start = seat if "m" in self.floors[seat] else self.start
        self.lid, self.floors[seat] = self.lid + self.floors[seat].replace("m", ""), ""


def verify(text):
    (rules, *head), acts, foot = (part.split("\n") for part in text.strip("\n").split("\n\n"))
    facts = dict(line.split(" ", 1) for line in head + foot)
    seed, game, added = bytes.fromhex(facts["seed"]), facts["id"], []
    commitment = digest("server", game, seed)
    assert commitment.hex() == facts["commitment"], "the seed is not the promised one"
    for _, seat, pledge, number in (line.split() for line in head if line.startswith("pledge ")):
        added += [seat, bytes.fromhex(pledge), bytes.fromhex(number)]
        assert digest("client", game, seat, added[-1]) == added[-2], f"seat {seat} added another number than pledged"
    key = hmac(seed, digest("transcript", rules, game, commitment, *added), "sha256")
    table, deals = Table(int(rules[rules.index("seats=") + 6]), "wall=grey" in rules), count()
    for number, act in enumerate(acts):
        if act[0] == "*":
            assert act == table.deal(dice(key, next(deals))), f"act {number}: the dice give another deal"
        elif "t" in act:
            full = [seat for seat in range(table.seats) if any(len(a) > r for r, a in enumerate(table.lines[seat]))]
            table.tile(int(act[0]) if ":" in act else full[0], act[-3:])
        else:
            table.take(*act)
    assert hmac(key, digest("acts", *acts), "sha256").hex() == facts["seal"], "the seal belongs to other acts"
    return f"All {next(deals)} deals follow from the seed that was promised before the game."


if __name__ == "__main__":
    print(verify(open(sys.argv[1]).read()))
