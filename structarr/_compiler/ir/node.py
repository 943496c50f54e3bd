"""Interned nodes: equal means identical, so `==`, `hash` and memo tables are pointer work."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter, Signature
from itertools import count
from operator import is_not
from typing import Any, ClassVar, TypeVar, dataclass_transform
from weakref import ref

from structarr._support.locks import NODES


class _Entry(ref["Node"]):
    """A node in the table of its class. The standard weak dictionary takes twice as long."""

    __slots__ = ("key", "table")
    key: tuple[Any, ...]
    table: dict[tuple[Any, ...], _Entry]


def _leave(entry: Any, entering: Any = NODES) -> None:
    """Take a node that is gone out of its table, unless another of its key is there by now."""
    with entering:
        if entry.table.get(entry.key) is entry:
            del entry.table[entry.key]


_PLAIN = {"str", "int", "bool", "float", "str | None", "int | None", "tuple[int, ...]"}

_numbers = count()  # numbers of the classes of nodes

N = TypeVar("N", bound="Node")
K = TypeVar("K", bound="Node")


class Interning(type):
    """Makes of each annotated field a slot, and of equal constructions one object."""

    _fields: tuple[str, ...]
    _arity: int  # of the fields
    _walked: tuple[str, ...]  # the fields that may contain nodes
    _bit: int  # the class's own bit
    _bits: int  # the bits of the class and its subclasses
    _defaults: ChainMap[str, Any]
    _endings: dict[int, tuple[Any, ...]]  # the defaults behind some first fields, by number
    _interned: dict[tuple[Any, ...], _Entry]  # the nodes of the class
    _fills: tuple[Callable[[Any, Any], None], ...]  # the setter of each field
    _places: tuple[int, ...]  # the positions of the walked fields

    def __new__(mcls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Interning:
        kinds = {field: str(kind) for field, kind in body.get("__annotations__", {}).items()}
        own = [
            field
            for field, kind in kinds.items()
            if not kind.partition("[")[0].endswith("ClassVar")  # a text or typing's object
        ]
        inherited: tuple[str, ...] = ()
        walked: tuple[str, ...] = ()
        for base in bases:
            inherited += getattr(base, "_fields", ())
            walked += getattr(base, "_walked", ())
        below = [base._defaults for base in bases if isinstance(base, Interning)]
        defaults = ChainMap({field: body.pop(field) for field in own if field in body}, *below)
        body["__slots__"] = (*own, *body.get("__slots__", ()))
        cls = super().__new__(mcls, name, bases, body)
        cls._fields = inherited + tuple(own)
        cls._walked = walked + tuple(field for field in own if kinds[field] not in _PLAIN)
        cls._arity, cls._interned = len(cls._fields), {}
        cls._defaults = defaults
        cls._endings = {}
        cls._bit, cls._bits = 1 << next(_numbers), 0
        for base in cls.__mro__:
            if isinstance(base, Interning):
                base._bits |= cls._bit
        cls.__match_args__ = cls._fields  # type: ignore[attr-defined,misc]
        cls._fills = tuple([getattr(cls, field).__set__ for field in cls._fields])
        cls._places = tuple([k for k, field in enumerate(cls._fields) if field in cls._walked])
        return cls

    def __call__(cls, *args: Any, **named: Any) -> Any:
        if named or len(args) != cls._arity:
            end = None if named else cls._endings.get(len(args))
            args = cls._bind(args, named) if end is None else args + end
        key = args if cls._key is None else cls._key(args)  # type: ignore[attr-defined]
        entry = cls._interned.get(key)
        if entry is not None:
            node = entry()
            if node is not None:
                return node
        return cls._create(key, args)

    def _create(cls, key: tuple[Any, ...], args: tuple[Any, ...]) -> Node:
        """A new node, unless another thread has made it."""
        node: Node = object.__new__(cls)  # type: ignore[arg-type]
        for fill, value in zip(cls._fills, args, strict=True):
            fill(node, value)
        below: dict[Node, None] = {}
        kinds = cls._bit
        for place in cls._places:
            value = args[place]
            for part in value if isinstance(value, tuple) else (value,):
                if part.__class__.__class__ is Interning:  # as `isinstance` is slow to tell
                    below[part] = None
                    kinds |= part.kinds
        _set_inner(node, tuple(below)[::-1])
        _set_kinds(node, kinds)
        entry = _Entry(node, _leave)
        entry.key, entry.table = key, cls._interned
        with NODES:
            other = entry.table.setdefault(key, entry)()
            if other is not None:
                return other
            entry.table[key] = entry
        return node

    @property
    def __signature__(cls) -> Signature:
        """The fields, as `help` shows them; those after a default may be by keyword alone."""
        told = [vars(base).get("__annotations__", {}) for base in reversed(cls.__mro__)]
        found: list[Parameter] = []
        by_name = False
        for field in dict.fromkeys(cls._fields):
            default = cls._defaults.get(field, Parameter.empty)
            late = any(one.default is not Parameter.empty for one in found)
            by_name |= late and default is Parameter.empty
            kind = Parameter.KEYWORD_ONLY if by_name else Parameter.POSITIONAL_OR_KEYWORD
            annotation = next(one[field] for one in reversed(told) if field in one)
            found.append(Parameter(field, kind, default=default, annotation=annotation))
        return Signature(found)

    def _bind(cls, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        rest = cls._fields[len(args) :]
        if set(named).difference(rest):
            named = cls._adapted(named)  # type: ignore[attr-defined]
        if len(args) > len(cls._fields) or set(named).difference(rest):
            raise TypeError(f"{cls.__name__} takes the fields {', '.join(cls._fields)}")
        values = list(args)
        for field in rest:
            if field in named:
                values.append(named[field])
            elif field in cls._defaults:
                values.append(cls._defaults[field])
            else:
                raise TypeError(f"{cls.__name__} needs the field {field!r}")
        if not named:
            cls._endings[len(args)] = tuple(values[len(args) :])
        return tuple(values)


@dataclass_transform(frozen_default=True, eq_default=False)
class Node(metaclass=Interning):
    """An immutable tree node; two nodes with the same class and fields are the same object.

    Attributes
    ----------
    inner : tuple of Node
        The distinct nodes directly below, the last first.
    kinds : int
        A bit for each class that a node of the tree has.
    """

    __slots__ = ("__weakref__", "_found", "inner", "kinds")
    inner: ClassVar[tuple[Node, ...]]
    kinds: ClassVar[int]
    _fields: ClassVar[tuple[str, ...]] = ()
    _walked: ClassVar[tuple[str, ...]] = ()
    _key: ClassVar[Any] = None  # of what is equal, where that is not what has equal fields

    @classmethod
    def _adapted(cls, named: dict[str, Any]) -> dict[str, Any]:
        """The named fields where some are unknown: a class may know them by former names."""
        return named

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), tuple(getattr(self, field) for field in self._fields))

    def __repr__(self) -> str:
        inner = ", ".join(repr(getattr(self, field)) for field in self._fields)
        return f"{type(self).__name__}({inner})"

    def replace(self: N, **changes: Any) -> N:
        """The same with some fields changed."""
        if changes.keys() <= {*self._fields}:
            values = [changes[f] if f in changes else getattr(self, f) for f in self._fields]
            return type(self)(*values)
        return type(self)(**{**{name: getattr(self, name) for name in self._fields}, **changes})

    def parts(self) -> Iterator[Node]:
        """The nodes directly below, in the order of the fields."""
        for field in self._walked:
            value = getattr(self, field)
            if isinstance(value, Node):
                yield value
            elif isinstance(value, tuple):
                for item in value:
                    if isinstance(item, Node):
                        yield item

    def has(self, kind: type[Node]) -> bool:
        """Whether a node of the tree is of a class."""
        return bool(self.kinds & kind._bits)

    def nodes(self) -> Iterator[Node]:
        """Every distinct node of the tree, parents first."""
        seen = {self}
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            for part in node.inner:
                if part not in seen:
                    seen.add(part)
                    stack.append(part)

    def every(self, kind: type[K]) -> tuple[K, ...]:
        """Every distinct node of a class in the tree, parents first.

        A shared node is found once, as rewritten trees share most of their parts.
        """
        if not self.kinds & kind._bits:
            return ()
        below = self._below(kind) if self.inner else ()
        return (self, *below) if isinstance(self, kind) else below

    def _below(self, kind: type[K]) -> tuple[K, ...]:
        """Those but the node itself, which would hold itself if it kept them."""
        try:
            known: dict[type, tuple[Any, ...]] = self._found  # type: ignore[attr-defined]
        except AttributeError:
            known = {}
            _set_found(self, known)
        found = known.get(kind)
        if found is None:
            parts = [part.every(kind) for part in reversed(self.inner) if part.kinds & kind._bits]
            if len(parts) == 1:
                found = parts[0]
            else:
                once: dict[Any, None] = {}
                for some in parts:
                    once.update(dict.fromkeys(some))
                found = tuple(once)
            known[kind] = found
        return found

    def rebuild(self: N, change: Callable[[Node], Node]) -> N:
        """This node with `change` applied to each node directly below."""
        if not self.inner:
            return self
        changed: dict[str, Any] = {}
        for field in self._walked:
            old = getattr(self, field)
            if old.__class__ is tuple:
                items = [
                    change(item) if item.__class__.__class__ is Interning else item for item in old
                ]
                if any(map(is_not, items, old)):
                    changed[field] = tuple(items)
            elif old.__class__.__class__ is Interning:
                new = change(old)
                if new is not old:
                    changed[field] = new
        if not changed:
            return self
        values = [changed[f] if f in changed else getattr(self, f) for f in self._fields]
        return type(self)(*values)

    def mentions(self, node: Node) -> bool:
        """Whether `node` occurs in this tree."""
        return node is self or (bool(self.inner) and node in self.every(type(node)))


_set_inner, _set_kinds, _set_found = [
    Node.__dict__[name].__set__ for name in ("inner", "kinds", "_found")
]


def substitute(root: N, table: Mapping[Any, Any]) -> N:
    """Return the tree `root` with every node that is a key of `table` replaced by its value."""
    memo: dict[Node, Node] = {}
    kinds = 0
    for key in table:
        kinds |= type(key)._bit

    def change(node: Node) -> Node:
        if not node.kinds & kinds:
            return node
        found = table.get(node)
        if found is not None:
            return found  # type: ignore[no-any-return]
        done = memo.get(node)
        if done is None:
            done = memo[node] = node.rebuild(change)
        return done

    return change(root)  # type: ignore[return-value]
