"""What leaves the server: public values, and nothing that could hold anything else."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any, Literal, NamedTuple, TypedDict

import msgspec
import pytest
from msgspec import Struct

from tessella.core import wire
from tessella.core.game import Choose, Over, Public
from tessella.core.record import Record
from tessella.games import azul


class Tree(Public, frozen=True):
    """Public all the way down, without end."""

    name: str
    branches: tuple["Tree", ...] = ()
    other: "Tree | None" = None


class Side(Enum):
    LEFT = "left"
    RIGHT = "right"


class Plain(Public, frozen=True):
    """Whatever JSON can say."""

    number: int
    share: float
    words: list[str]
    table: dict[str, tuple[int, ...]]
    side: Side
    kind: Literal["row", "column"]
    letters: frozenset[str]
    maybe: bool | None = None


class Secret(Struct, frozen=True):
    tiles: str = "bbk"


@dataclass
class SecretDataclass:
    tiles: str = "bbk"


class SecretTuple(NamedTuple):
    tiles: str


class SecretDict(TypedDict):
    tiles: str


class Custom:
    tiles = "bbk"


def holding(kind: object) -> Any:
    """A public class with one field of this type."""
    return msgspec.defstruct("Holding", [("field", kind)], bases=(Public,), frozen=True)


def test_a_public_value_is_json():
    assert wire.encode(Choose((0, 2))) == b'{"type":"choose","seats":[0,2]}'
    assert wire.decode(b'{"type":"over","scores":[41,36],"places":[1,2]}', Over) == Over((41, 36), (1, 2))


def test_json_of_another_shape_is_rejected():
    with pytest.raises(msgspec.ValidationError):
        wire.decode(b'{"type":"over","scores":"all","places":[1,2]}', Over)


def test_public_values_may_be_recursive():
    tree = Tree("root", (Tree("leaf"), Tree("twig", other=Tree("bud"))))
    assert wire.decode(wire.encode(tree), Tree) == tree


def test_every_json_type_may_be_public():
    plain = Plain(1, 0.5, ["a"], {"b": (1, 2)}, Side.LEFT, "row", frozenset({"x"}), True)
    assert wire.decode(wire.encode(plain), Plain) == plain


def test_json_that_was_already_checked_may_be_part_of_another_value():
    message = holding(msgspec.Raw)
    for _ in range(2):  # a class is checked once
        assert wire.encode(message(wire.embed(Choose((0, 2))))) == b'{"field":{"type":"choose","seats":[0,2]}}'
    with pytest.raises(TypeError):
        wire.embed(STATE)  # type: ignore[arg-type]


STATE = azul.setup(azul.Config(2))


@pytest.mark.parametrize(
    "private",
    [
        STATE,
        azul.Take(0, 0, "b", 0),
        azul.deal(STATE, Random(1)),
        Record("azul/1"),
        Secret(),
        SecretDataclass(),
        SecretTuple("bbk"),
        Custom(),
        {"tiles": "bbk"},
        ["bbk"],
        "bbk",
        7,
        None,
    ],
    ids=lambda private: type(private).__name__,
)
def test_what_is_not_public_stays_here(private):
    with pytest.raises(TypeError):
        wire.encode(private)


@pytest.mark.parametrize(
    "kind",
    [
        azul.State,
        azul.State | None,
        tuple[azul.State, ...],
        tuple[int, azul.State],
        set[Secret],
        dict[str, list[tuple[int, Secret]]],
        Mapping[str, Secret],
        Secret,
        SecretDataclass,
        list[SecretDataclass],
        SecretTuple,
        SecretDict,
        Custom,
        Any,
        object,
        list[Any],
        dict[str, object],
        list,
        dict,
    ],
    ids=str,
)
def test_a_public_class_cannot_smuggle_a_private_one_out(kind):
    with pytest.raises(TypeError, match="not public, cannot be sent"):
        wire.require_public(holding(kind))


def test_a_private_class_is_found_at_any_depth():
    inner: Any = holding(tuple[Secret, SecretDataclass])
    with pytest.raises(TypeError, match="not public, cannot be sent: Secret, SecretDataclass"):
        wire.require_public(holding(list[inner]))
