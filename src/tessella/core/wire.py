"""JSON encoding of what leaves the server: `Public` values and nothing else.

A class is checked once, with everything its fields could hold, so a public value cannot carry a state out. A
field of type `msgspec.Raw` holds what `embed` has already checked; a reader gets JSON to decode further.
"""

from collections.abc import Iterator
from typing import TypeVar, cast

import msgspec
from msgspec import inspect

from tessella.core.game import Public

T = TypeVar("T")

_encoder = msgspec.json.Encoder()


class Encoded(bytes):
    """A public value already encoded by `encode`."""

    __slots__ = ()


_checked: set[type] = set()
"""Classes that passed `require_public`."""


def encode(public: Public) -> bytes:
    """Return a public value as JSON; raise `TypeError` for anything else."""
    if type(public) not in _checked:
        require_public(type(public))
    return _encoder.encode(public)


def embed(public: Public) -> msgspec.Raw:
    """Return a public value as a field of another, typed as `Raw` because only its game knows the type."""
    if type(public) not in _checked:
        require_public(type(public))
    return public  # type: ignore[return-value]  # pyright: ignore[reportReturnType]


def decode(data: bytes | str, kind: type[T]) -> T:
    """Decode JSON to a value of the given type; raise `msgspec.ValidationError` if it does not fit."""
    return msgspec.json.decode(data, type=kind)


def require_public(kind: type) -> None:
    """Raise `TypeError` unless the class, and every class that its fields may hold, is public."""
    found = {kind, *_classes(inspect.type_info(kind))}
    private = sorted(each.__name__ for each in found if not issubclass(each, Public))
    if private:
        raise TypeError(f"not public, cannot be sent: {', '.join(private)}")
    _checked.add(kind)


def _classes(root: inspect.Type) -> Iterator[type]:
    """Yield every class that a value of this type may contain; `object` where anything is allowed."""
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
