"""What leaves the server: `Public` values as JSON, and nothing else.

A class is checked once, with everything that its fields could hold, so a public value cannot smuggle a state out. A
field of type `msgspec.Raw` holds what `embed` has already checked; whoever reads it gets JSON to decode further.
"""

from collections.abc import Iterator
from typing import TypeVar, cast

import msgspec
from msgspec import inspect

from tessella.core.game import Public

T = TypeVar("T")

_encoder = msgspec.json.Encoder()

_checked: set[type] = set()
"""Classes that were found to be public."""


def encode(public: Public) -> bytes:
    """Write a public value as JSON; refuse anything else."""
    if type(public) not in _checked:
        require_public(type(public))
    return _encoder.encode(public)


def embed(public: Public) -> msgspec.Raw:
    """A public value as part of another of which only its game knows the type. Both are written in one go."""
    if type(public) not in _checked:
        require_public(type(public))
    return public  # type: ignore[return-value]  # pyright: ignore[reportReturnType]


def decode(data: bytes | str, kind: type[T]) -> T:
    """Read JSON as a value of the given type; raise `msgspec.ValidationError` if it is not one."""
    return msgspec.json.decode(data, type=kind)


def require_public(kind: type) -> None:
    """Raise `TypeError` unless the class, and every class that its fields may hold, is public."""
    found = {kind, *_classes(inspect.type_info(kind))}
    private = sorted(each.__name__ for each in found if not issubclass(each, Public))
    if private:
        raise TypeError(f"not public, so it stays here: {', '.join(private)}")
    _checked.add(kind)


def _classes(root: inspect.Type) -> Iterator[type]:
    """Every class that a value of this type may contain; `object` where anything may be."""
    seen: set[type] = set()
    waiting: list[object] = [root]
    while waiting:
        part = waiting.pop()
        match part:
            case (
                inspect.StructType(cls=cls, fields=fields)
                | inspect.DataclassType(cls=cls, fields=fields)
                | inspect.NamedTupleType(cls=cls, fields=fields)
                | inspect.TypedDictType(cls=cls, fields=fields)
            ):
                if cls not in seen:
                    seen.add(cls)
                    waiting.extend(field.type for field in fields)
                    yield cls
            case inspect.AnyType() | inspect.CustomType():
                yield object
            case inspect.Type() as other:
                waiting.extend(getattr(other, name) for name in other.__struct_fields__)
            case tuple():  # the members of a union or of a tuple
                waiting.extend(cast("tuple[object, ...]", part))
            case _:
                pass
