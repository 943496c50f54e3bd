"""Terms of expressions: what the names, elements and operators in them mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structarr._compiler.ir.cin import Padded, Permit, Protocol, Within
from structarr._compiler.ir.expr import INDEX, Expr, Lit
from structarr._compiler.ir.ops import Op, operator_named
from structarr._compiler.ir.variables import Opaque
from structarr._language.read import syntax
from structarr._language.read.messages import axes
from structarr._language.read.vocabulary import CASTS, PADDINGS
from structarr._language.resolve import terms
from structarr._language.resolve.accesses import Use
from structarr._language.resolve.arguments import Arguments
from structarr._language.resolve.lengths import CHECKED, SAFE, WHOLE
from structarr._language.resolve.made_numbers import made_number
from structarr._language.resolve.scope import Scope
from structarr._language.resolve.sizes import Sizes
from structarr._language.resolve.terms import Kind, Term, cast, strong
from structarr._scheduler.indexing import apply as read
from structarr._support import dtypes
from structarr.errors import ProgramError

_DECLARE = "use one of NumPy's ufuncs, or declare it by structarr.operator"


class Values:
    """The values of a stage."""

    def __init__(self, scope: Scope, sizes: Sizes, uses: tuple[Use, ...]) -> None:
        self.scope, self.sizes = scope, sizes
        self._arguments = Arguments(scope, sizes)
        self._uses = {(u.array, u.axis, u.index, u.permitted): k for k, u in enumerate(uses)}
        self._asking: set[str] = set()  # temporaries whose dtypes are being found

    def value(self, one: syntax.Syntax) -> Term:
        """The value of an expression."""
        written = syntax.written_number(one)
        if written is not None:
            return terms.number(written)
        match one:
            case syntax.Missing():
                raise self.scope.error("`missing` can only be an argument of `coalesce`", one.at)
            case syntax.Name(name):
                return self._name(name, one.at)
            case syntax.Length(array, axis):
                self.sizes.found.length(one)  # raises if there is no such axis
                axis %= len(self.sizes.found.shapes[array])
                return terms.of_index(self.sizes.axis(array, axis))
            case syntax.Read():
                return self._read(one)
            case syntax.Apply():
                return self._apply(one)
        assert isinstance(one, syntax.Modified)
        raise self.scope.error(f"`{one.kind}` is for an index, as in `A[{one.kind}(i)]`", one.at)

    def made(self, one: syntax.Make) -> Term:
        """The number that an array, or a scalar, is made of."""
        return terms.number(made_number(one, self.scope.stage.program))

    def index(self, access: syntax.Read, axis: int) -> Expr:
        """An index of an access: with its protocols, and checked where it may be outside."""
        plain, protocols, way = self._modifiers(access.indices[axis])
        index = self._whole(plain)
        place = self._uses[access.array, axis, plain, bool(way)]
        if access.array in self.scope.temporaries:
            dim = self._dim(access, axis)
            link = WHOLE if self.scope.out.extents.get(index) is dim else CHECKED  # type: ignore[call-overload]
        else:
            link, dim = self.sizes.found.links[place], self.sizes.axis(access.array, axis)
        if isinstance(index, Lit) and index.value < 0 and link == SAFE:
            index = dim + index.value
        if way == "permit":
            index = Permit(index, dim)
        elif way:
            index = Padded(index, way, dim, place)
        elif link == CHECKED:
            index = Within(index, dim, place)
        for name in reversed(protocols):
            index = Protocol(index, name)
        return index

    def summand(self, one: syntax.Assign) -> Term:
        """The value of an assignment; the subtrahend of an update by a difference."""
        if subtracts(one):
            assert isinstance(one.value, syntax.Apply)
            return self.value(one.value.args[0])
        return self.value(one.value)

    def dtype_of(self, assigned: Sequence[syntax.Assign], first: Sequence[Kind] = ()) -> str:
        """The dtype of what holds values of some kinds, and all that it is assigned."""
        # The values may read temporaries of inner loops, which are not made yet.
        typing, self.scope.typing = self.scope.typing, True
        try:
            dtype = dtypes.common([*first, *(self.summand(one).kind for one in assigned)])
        finally:
            self.scope.typing = typing
        update = next((one for one in assigned if one.op is not None), None)
        if update is None or update.op is None:
            return dtype
        op = self.operator(update.op, update.at)
        try:
            return dtypes.reduction(op.name, np.dtype(dtype))
        except TypeError as problem:
            raise self.scope.error(str(problem), update.at) from None

    def operator(self, name: str, at: syntax.Place) -> Op:
        """The operator that a name means, a user's own first."""
        found = operator_named(self.scope.given.operators.get(name, name))
        if found is None:
            raise self.scope.error(f"there is no operator {name}: {_DECLARE}", at)
        return found

    def _name(self, name: str, at: syntax.Place) -> Term:
        """The value of a name."""
        scope = self.scope
        if name in scope.indices:
            return terms.of_index(scope.indices[name])
        temp = scope.temporaries.get(name)
        if temp is not None and not temp.tensor.dims:
            return strong(temp.access(()))
        if name in scope.results:
            raise self._unfinished(name, at)
        if temp is not None or name in scope.given.arrays:
            raise scope.error(f"{name} is an array: read an element, {name}[i]", at)
        if name in scope.given.scalars:
            return self._arguments.scalar(name)
        made = scope.stage.makes.get(name)
        if made is not None and not made.shape and name not in scope.stage.writes:
            return self.made(made)  # a constant
        if scope.typing:
            return self._untold(name, at)
        raise self._unknown(name, at)

    def _read(self, one: syntax.Read) -> Term:
        """An element of an operand or of a temporary."""
        scope, name = self.scope, one.array
        temp = scope.temporaries.get(name)
        if temp is None and scope.typing and name in scope.stage.inner:
            return self._untold(name, one.at)
        indices = tuple(self.index(one, k) for k in range(len(one.indices)))
        if temp is not None:
            return strong(temp.access(indices))
        if name in scope.results:
            raise self._unfinished(name, one.at)
        if name in scope.given.scalars and not indices:
            return self._name(name, one.at)
        if name not in scope.given.arrays and scope.typing:
            return self._untold(name, one.at)
        operand = scope.given.arrays[name]
        if len(indices) != len(operand.ones):
            raise scope.error(
                f"{name} has {axes(len(operand.ones))}, and is read with {len(indices)} "
                + ("index" if len(indices) == 1 else "indices"),
                one.at,
            )
        return strong(read(self._arguments.operand(one), indices))

    def _untold(self, name: str, at: syntax.Place) -> Term:
        """A value of the dtype of a temporary, by all that is assigned to it."""
        body = self.scope.stage.body
        assigned = [one for one in syntax.assignments(body) if one.name == name]
        makes = (part for part in syntax.parts(body) if isinstance(part, syntax.Make))
        made = [part for part in makes if part.name == name]
        if name in self.scope.stage.writes:
            raise self._unfinished(name, at)
        if not assigned or name in self._asking:
            raise self._unknown(name, at)
        if made:
            dtype = made[0].dtype or self.made(made[0]).dtype
        else:
            self._asking.add(name)
            dtype = self.dtype_of(assigned)
            self._asking.discard(name)
        return strong(Opaque(dtype, name))

    def _unknown(self, name: str, at: syntax.Place) -> ProgramError:
        """The error of a name that has no meaning."""
        return self.scope.error(f"{name} is not known here: it is no argument and no index", at)

    def _unfinished(self, name: str, at: syntax.Place) -> ProgramError:
        """The error of a result that is read too early."""
        return self.scope.error(
            f"{name} is read while it is being made: only its update, as in `{name}[i] += x`, "
            "reads it; make another array first, and read that",
            at,
        )

    def _apply(self, one: syntax.Apply) -> Term:
        """An operator, applied."""
        if one.op == "coalesce":
            chosen = [arg for arg in one.args if not isinstance(arg, syntax.Missing)]
            return terms.apply("coalesce", [self.value(arg) for arg in chosen])
        args = [self.value(arg) for arg in one.args]
        op = self.scope.given.operators.get(one.op, one.op)
        if operator_named(op) is None and op not in CASTS and op != "window":
            raise self.scope.error(f"there is no function {one.op}: {_DECLARE}", one.at)
        try:
            return terms.apply(op, args)
        except (TypeError, OverflowError) as problem:
            raise self.scope.error(str(problem), one.at) from None

    def _dim(self, access: syntax.Read, axis: int) -> Expr:
        """The length of a temporary's axis."""
        dims = self.scope.temporaries[access.array].tensor.dims
        if len(access.indices) != len(dims):
            raise self.scope.error(
                f"{access.array} has {axes(len(dims))}, not {len(access.indices)}", access.at
            )
        return dims[axis]

    def _modifiers(self, one: syntax.Syntax) -> tuple[syntax.Syntax, list[str], str]:
        """An index without its modifiers, its protocols, and its way of reading outside."""
        protocols: list[str] = []
        way = ""
        while isinstance(one, syntax.Modified):
            if one.kind == "permit" or one.kind in PADDINGS:
                if way:
                    raise self.scope.error(f"an index under {way} and {one.kind}: keep one", one.at)
                way = one.kind
            else:
                protocols.append(one.kind)
            one = one.arg
        return one, protocols, way

    def _whole(self, one: syntax.Syntax) -> Expr:
        """A value that stands as an index."""
        term = self.value(one)
        if term.index is not None:
            return term.index
        if np.dtype(term.kind).kind not in "iu":
            is_divided = isinstance(one, syntax.Apply) and one.op == "divide"
            instead = ": divide by `//`, which rounds down" if is_divided else ""
            raise self.scope.error(
                f"an index must be a whole number, not {term.dtype}{instead}", one.at
            )
        return cast(term.expr, INDEX)


def subtracts(one: syntax.Assign) -> bool:
    """Whether an assignment is an update by a difference."""
    return one.op == "add" and isinstance(one.value, syntax.Apply) and one.value.op == "negative"
