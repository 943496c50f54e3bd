"""Replays written out: calls of kernels as lines of one function, which has no calls between.

A kernel reads the buffers of what another one made where these are. They are no tensor unless
something else asks for one, and options are looked at once for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from structarr._compiler.backend.python.host import rewrite, twin
from structarr._compiler.options import current
from structarr._execute.whole_call import GUARDED, Fixed, made_of


class Direct(NamedTuple):
    """A step that is a call of lengths which are known, and no more.

    Attributes
    ----------
    place : int
        Its place among such calls.
    codes : tuple of str
        The code of what it takes.
    """

    place: int
    codes: tuple[str, ...]


class Line(NamedTuple):
    """A step of a replay.

    Attributes
    ----------
    made : str
        The name of what it gives.
    code : str
        The code of that.
    ends : bool
        Whether None ends the replay.
    fill : bytes
        Of a result whose other fills end it.
    done : list of str
        The names of what no later step reads, so that its memory is used again.
    direct : Direct or None
        The call that it is.
    """

    made: str
    code: str
    ends: bool
    fill: bytes
    done: list[str]
    direct: Direct | None

    @property
    def told(self) -> list[str]:
        """The step as code that calls what it is a call of."""
        if not self.ends:
            return [f"{self.made} = {self.code}"]
        other = f" or {self.made}.fill.tobytes() != {self.fill!r}" if self.fill else ""
        return [f"{self.made} = {self.code}", f"if {self.made} is None{other}: return None"]


class Text(NamedTuple):
    """A replay as text.

    Attributes
    ----------
    begin : list of str
        The lines that unpack what is given, and refuse it where that is to be told first.
    steps : list of Line
        The steps.
    returned : str
        What is returned.
    names : dict
        What the lines refer to.
    """

    begin: list[str]
    steps: list[Line]
    returned: str
    names: dict[str, Any]

    @property
    def lines(self) -> list[str]:
        """Its lines, which call what they are calls of."""
        found = [*self.begin]
        for step in self.steps:
            found += [*step.told, *[f"{name} = None" for name in step.done]]
        return found

    @property
    def places(self) -> frozenset[int]:
        """The places of its calls of lengths that are known."""
        return frozenset([one.direct.place for one in self.steps if one.direct is not None])


class Calls(list[Callable[..., Any]]):
    """The calls of lengths that are known, which replays make by their places."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: dict[int, Fixed | None] = {}
        self._waiting: list[tuple[Callable[..., Any], Text]] = []

    def await_texts(self, replay: Callable[..., Any], text: Text) -> None:
        """Have a replay written out once the text of each of its calls is known."""
        if text.places:
            self._waiting.append((replay, text))

    def settle(self, place: int, fixed: Fixed | None) -> None:
        """Note the text of a call, None of one that stays a call.

        Until others of its calls are known, too, a replay makes them one by one.
        """
        self._texts[place] = fixed
        for one in [*self._waiting]:
            replay, text = one
            if text.places <= self._texts.keys():
                try:
                    self._waiting.remove(one)
                except ValueError:  # another thread writes it out
                    continue
                _write_out(replay, text, self._texts)


def _write_out(replay: Callable[..., Any], text: Text, texts: Mapping[int, Fixed | None]) -> None:
    """Have a replay consist of the lines of its calls, whoever holds it.

    Where kernels are not compiled, or a result needs a closer look, they are made one by one.
    """
    written = _Written(replay.__globals__, texts)
    lines = written.lines(text)
    if not written.most:
        return
    head = [
        "options = current()",
        f"if not options.compiles or options.densify_limit < {written.most}: "
        "return otherwise(given)",
    ]
    names = {**written.names, "otherwise": twin(replay), "current": current}
    rewrite(replay, "given", [*text.begin, *head, *lines], text.returned, names)


class _Body(NamedTuple):
    """The lines of a call, and those that make a tensor of its result."""

    lines: list[str]
    made: list[str]


class _Written:
    """The lines of a replay, whose calls are written out as far as that is possible.

    Parameters
    ----------
    names : mapping
        What the replay refers to.
    texts : mapping
        The texts of its calls.
    """

    def __init__(self, names: Mapping[str, Any], texts: Mapping[int, Fixed | None]) -> None:
        self.names = dict(names)
        self.most = 0  # bytes of the largest result whose length is known; 1 if there is none
        self._texts = texts

    def lines(self, text: Text) -> list[str]:
        """The lines of all steps."""
        bodies = [self._body(step) for step in text.steps]
        asked = {*_NAME.findall(text.returned)}
        for step, body in zip(text.steps, bodies, strict=True):
            asked |= {*_NAME.findall(step.code if body is None else "\n".join(body.lines))}
        found: list[str] = []
        held: set[str] = set()  # the names of buffers that are told
        for step, body in zip(text.steps, bodies, strict=True):
            own = _buffers_of(step.made)
            if body is None:
                found += step.told
            else:
                read = dict.fromkeys(_BUFFERS.findall("\n".join(body.lines)))
                new = [name for name in read if name != own and name not in held]
                found += [f"{name} = {_tensor_of(name)}.buffers" for name in new]
                held.update(new, [own])
                found += [*body.lines, *(body.made if step.made in asked else ())]
            for name in step.done:  # so that the next step may reuse the memory
                other = _buffers_of(name)
                found.append(f"{name} = {other} = None" if other in held else f"{name} = None")
        return found

    def _body(self, step: Line) -> _Body | None:
        """The lines of a step, which are known of a call that may be written out."""
        fixed = None if step.direct is None else self._texts[step.direct.place]
        if step.direct is None or fixed is None:
            return None
        given = dict(zip(fixed.params, step.direct.codes, strict=True))
        own = _buffers_of(step.made)
        known = {**given, "O": own, "kernel": f"{self._named('compiling', fixed, step)}.compiled"}
        text = [fixed.stored, fixed.fill, *made_of(step.made, own, fixed.fill), *fixed.lines]
        for name in {*_NAME.findall("\n".join(text))} & fixed.names.keys() - {"compiling"}:
            known[name] = self._named(name, fixed, step)
        lines: list[str] = []
        for line in fixed.lines:
            for name in fixed.tensors:
                line = line.replace(f"{name}.buffers", _buffers_of(given[name]))
            target, _, source = line.partition(" = ")
            if _BUFFERS.fullmatch(source) and _OPERAND.fullmatch(target):
                known[target] = source
                continue
            guarded = GUARDED.fullmatch(line)
            line = line if guarded is None else self._guarded(guarded)
            if line:
                lines.append(line.replace("current()", "options"))
        self.most = max(self.most, 1)
        if fixed.stored != "O":
            lines.append(f"O = {fixed.stored}")
        if step.fill:
            lines.append(f"if {fixed.fill}.tobytes() != {step.fill!r}: return None")

        def renamed(code: str) -> str:
            return _NAME.sub(lambda found: known.get(found[0], found[0]), code)

        made = made_of(step.made, own, fixed.fill)
        return _Body([*map(renamed, lines)], [*map(renamed, made)])

    def _named(self, name: str, fixed: Fixed, step: Line) -> str:
        """The name by which the replay refers to what a call does, which others may have too."""
        value = fixed.names[name]
        if self.names.setdefault(name, value) is not value:
            name = f"{name}_{step.made}"
            self.names[name] = value
        return name

    def _guarded(self, found: re.Match[str]) -> str:
        """The line that tells whether a result needs a closer look; "" of one of known length."""
        size = _SIZE.fullmatch(found[1])
        if size is None or (size[3] and int(size[3]) > int(size[4])):
            return f"if {found[1]}: return otherwise(given)"
        self.most = max(self.most, int(size[1]) * int(size[2]))
        return ""


def _buffers_of(tensor: str) -> str:
    """The name of the buffers of a tensor of a replay."""
    return f"b{tensor[1:]}"


def _tensor_of(buffers: str) -> str:
    """The name of the tensor that has them."""
    return f"k{buffers[1:]}"


_NAME = re.compile(r"(?<![\w.'\"])[A-Za-z_]\w*")
_BUFFERS = re.compile(r"\bb\d+\b")
_OPERAND = re.compile(r"B\d+")
_SIZE = re.compile(r"(\d+) \* (\d+) > current\(\)\.densify_limit(?: or (\d+) > (\d+))?")
