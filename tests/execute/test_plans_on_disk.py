"""Plans on disk: found by structure without lowering, and made anew where structures differ."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend import kernel
from structarr._compiler.backend.disk import folder, surroundings
from structarr._compiler.ir import ops
from structarr._compiler.ir.expr import Call, Index, Lit, Sum
from structarr._compiler.ir.ops import OPS
from structarr._execute import choices, kept_plans, program_choice, replay_table
from structarr._language.read.syntax import Length
from structarr._scheduler import codec
from structarr._scheduler.code_digest import class_digest, digest
from structarr._scheduler.codec import WithoutText, decoded, encoded
from structarr.rules import RuleSet, rule

DENSE = np.where(np.arange(20).reshape(4, 5) % 3 == 0, np.arange(20.0).reshape(4, 5), 0)


MEANT = surroundings.of_plans, surroundings.of_code


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kept_plans, "ENABLED", True)
    another_process(monkeypatch, lowers=True)
    return tmp_path / "kernels"


def operand(format: str = "csr", dtype: str = "float64") -> Any:
    return sa.asarray(DENSE.astype(dtype), format=format)


def another_process(monkeypatch: pytest.MonkeyPatch, lowers: bool = False) -> None:
    """Forget what a process knows, and have lowering fail."""
    folder.flush()
    monkeypatch.setattr(choices, "_choices", {})
    replay_table._recorded.clear()
    monkeypatch.setattr(kernel, "_kernels", {})
    for known in (surroundings._known, surroundings.digest, *MEANT):
        known.cache_clear()

    def fails(*_: Any, **__: Any) -> Any:
        raise AssertionError("lowered")

    if not lowers:
        monkeypatch.setattr(program_choice, "compile_program", fails)
        monkeypatch.setattr(choices, "programs", fails)


def plans(cache: Path) -> int:
    folder.flush()
    return len([*cache.glob("*.plan")])


EXPRESSIONS: dict[str, Callable[[Any, Any], Any]] = {
    "product": lambda a, b: a * b,
    "sum": lambda a, b: a + b,
    "matrix and vector": lambda a, b: a @ np.arange(5.0),
    "matrices": lambda a, b: a @ b.T,
    "sum of rows": lambda a, b: (a * b).sum(axis=1),
    "sum of columns": lambda a, b: a.sum(axis=0),
    "epilogue": lambda a, b: np.maximum(2.5 * (a @ np.arange(5.0)) - 7.25, 0),
    "largest": lambda a, b: a.max(axis=1),
    "part": lambda a, b: a[1:3, ::2] * 3.5,
    "joined": lambda a, b: sa.concatenate([a, b + 1.5]),
    "fill": lambda a, b: (a + np.float32(0.1)).sum(axis=0),
    "nan": lambda a, b: sa.where(a > 2, a, np.nan),
    "complex": lambda a, b: (a * (1 - 0.5j)).sum(axis=1),
    "in a format": lambda a, b: (a * b).asformat("csc"),
    "triangle": lambda a, b: sa.tril(a @ a.T),
    "loops": lambda a, b: sa.loops("y[i] += A[i, j] * B[i, j]", A=a, B=b),
    "ordered loops": lambda a, b: sa.loops("y[j] <<max>>= A[i, j]", A=a),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_what_was_compiled_is_found_without_lowering(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = operand(), operand() * 2.0
    b.compute()
    with sa.options(tier="interpreted"):
        first = EXPRESSIONS[name](a, b).compute()
        another_process(monkeypatch)
        second = EXPRESSIONS[name](a, b).compute()
    assert first.format == second.format and first.dtype == second.dtype
    np.testing.assert_array_equal(first.todense(), second.todense())


@pytest.mark.parametrize("format", ["rle", "band", "vbl", "coo", "bitmap", "hash", "packbits"])
def test_plans_of_every_format_are_found(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = operand(format), operand("csc")
    with sa.options(tier="interpreted"):
        first = (a * b).compute()
        another_process(monkeypatch)
        second = (a * b).compute()
    assert first.format == second.format
    np.testing.assert_array_equal(first.todense(), second.todense())


def test_several_results_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def both() -> list[Any]:
        a = operand()
        return [one.todense() for one in sa.compute(a.sum(axis=1), (a * a).sum(axis=1))]

    with sa.options(tier="interpreted"):
        first = both()
        another_process(monkeypatch, lowers=True)
        monkeypatch.setattr(program_choice, "compile_program", None)
        second = both()
    np.testing.assert_array_equal(first, second)


def test_other_magnitudes_are_priced_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    with sa.options(tier="interpreted"):
        (operand() * operand("csc")).compute()
        another_process(monkeypatch, lowers=True)
        large = sa.asarray(np.arange(600.0).reshape(20, 30), format="csr")
        other = sa.asarray(np.arange(600.0).reshape(20, 30), format="csc")
        found = (large * other).todense()
    np.testing.assert_array_equal(found, large.todense() * other.todense())


def test_a_found_plan_explains_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    a = operand()
    with sa.options(tier="interpreted"):
        (a * a).compute()
        first = str(sa.explain(a * a))
        another_process(monkeypatch, lowers=True)
        (a * a).compute()
        assert str(sa.explain(a * a)) == first


def test_a_target_from_outside_runs_a_found_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    from structarr._testing.counting import CountingTarget

    a = operand()
    with sa.options(tier="interpreted"):
        first = (a * a).todense()
    another_process(monkeypatch)
    with sa.options(tier=CountingTarget()):
        np.testing.assert_array_equal((a * a).todense(), first)


@pytest.mark.parametrize("damage", [lambda _: b"", lambda one: one[:-5], lambda one: b"x" + one])
def test_damaged_plans_are_made_again(
    damage: Callable[[bytes], bytes], own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = operand()
    with sa.options(tier="interpreted"):
        first = (a * a).todense()
        folder.flush()
        for file in own_cache.glob("*.plan"):
            file.write_bytes(damage(file.read_bytes()))
        another_process(monkeypatch, lowers=True)
        np.testing.assert_array_equal((a * a).todense(), first)
        another_process(monkeypatch)
        np.testing.assert_array_equal((a * a).todense(), first)


def test_texts_that_mean_nothing_are_no_plans() -> None:
    for text in ("", "[]", "{}", '[["os:system:"],[[0]],["n",0]]', '[[],[],["z",1]]', "[[],[],3"):
        with pytest.raises(WithoutText):
            decoded(text)
    for value in (object(), [1], np.zeros(2), lambda: 1):
        with pytest.raises(WithoutText):
            encoded(value)


def test_nodes_come_back_as_they_were() -> None:
    numbers = (1, True, 1.0, -0.0, float("nan"), 1j, complex(-0.0, 2), np.float32(0.1), 1 << 70)
    nodes = (
        *[Lit("float64", one) for one in numbers],
        Sum((Index("i"),), (3,), 4),
        Call("float64", OPS["add"], (Lit("float64", 2.0, True), Lit("float64", 2.0))),
    )
    back = decoded(encoded((nodes, "text", None, ())))
    assert all(one is other for one, other in zip(back[0], nodes, strict=True))
    assert back[1:] == ("text", None, ())


def test_the_package_is_part_of_the_key(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a = operand()
    with sa.options(tier="interpreted"):
        before = plans(own_cache)
        (a * a).compute()
        made = plans(own_cache) - before
        monkeypatch.setattr(surroundings, "of_plans", lambda: "another version")
        another_process(monkeypatch, lowers=True)
        (a * a).compute()
        assert plans(own_cache) == before + 2 * made


def test_plans_of_files_that_were_changed_since_are_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    surroundings.of_plans.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(surroundings, "IMPORTED", 0)
        changed = surroundings.of_plans()
    surroundings.of_plans.cache_clear()
    assert changed[:-1] == surroundings.of_plans()[:-1]
    assert changed[-1] != surroundings.of_plans()[-1] == surroundings.digest(surroundings.LOWERING)


def rules(factor: float) -> RuleSet:
    """A rule that is wrong on purpose, to be told from others of its name."""

    @rule(Call, "absolute")
    def changed(node: Call) -> Any:
        return Call(node.dtype, OPS["multiply"], (node.args[0], Lit(node.dtype, factor)))

    return RuleSet((changed,))


def test_an_edited_rule_gives_its_own_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(factor: float) -> Any:
        with sa.options(tier="interpreted", rules=rules(factor)):
            return abs(operand()).todense()

    assert digest(rules(3.0)) == digest(rules(3.0)) != digest(rules(4.0))
    np.testing.assert_array_equal(found(3.0), 3 * DENSE)
    another_process(monkeypatch, lowers=True)
    np.testing.assert_array_equal(found(4.0), 4 * DENSE)
    another_process(monkeypatch)
    np.testing.assert_array_equal(found(3.0), 3 * DENSE)


def test_an_edited_operator_gives_its_own_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def applied(more: float) -> Any:
        operator = sa.operator(lambda x: x * 2.0 + more, name="edited", dtype="float64")
        with sa.options(tier="interpreted"):
            return operator(operand()).todense()

    first = applied(1.0)
    another_process(monkeypatch, lowers=True)
    np.testing.assert_array_equal(applied(3.0), first + 2)
    another_process(monkeypatch)
    np.testing.assert_array_equal(applied(1.0), first)


FORMAT = """
from typing import ClassVar
import numpy as np
from structarr._compiler.ir.ops import OPS
from structarr.cin import Call, Expr, Fiber, Lit
from structarr.formats import Element, Reading
from structarr.looplets import Context

class _Reading(Reading):
    def read(self, fiber):
        return Element.reading.read(fiber) {change}

class Edited(Element):
    reading = _Reading()
"""


def edited(change: str) -> type:
    """A leaf from outside, of which every edition is called the same."""
    import types

    module = types.ModuleType("edited_format")
    module.__dict__["__name__"] = "edited_format"
    sys.modules["edited_format"] = module
    exec(FORMAT.format(change=change), vars(module))
    return module.Edited  # type: ignore[no-any-return]


def test_a_text_imports_nothing_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    with pytest.raises(KeyError, match="colorsys"):
        codec._class_of("colorsys:Own:")
    assert "colorsys" not in sys.modules


def test_records_of_our_own_are_told_in_keys_by_their_fields() -> None:
    one, same, other = (Length("A", axis, at=(1, 2)) for axis in (0, 0, 1))
    assert encoded(one) == encoded(same) != encoded(other)


def test_an_edited_format_has_a_key_of_its_own() -> None:
    try:
        keys = []
        for change in ("", "", "# no change", " or None"):
            kind = edited(change)
            codec._text_of_class.cache_clear()
            keys.append(encoded(sa.formats.Format(sa.formats.Dense(kind()), (0,))))
    finally:
        del sys.modules["edited_format"]
    assert keys[0] == keys[1] == keys[2] != keys[3]


def test_an_edited_format_gives_its_own_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(factor: float) -> Any:
        times = f"Call('float64', OPS['multiply'], (value, Lit('float64', {factor})))"
        kind = edited(f"and (lambda value: {times})(Element.reading.read(fiber))")
        codec._text_of_class.cache_clear()
        form = sa.formats.Dense(sa.formats.SparseList(kind()))
        with sa.options(tier="interpreted"):
            return (sa.asarray(DENSE, format=form) @ np.ones(DENSE.shape[1])).todense()

    try:
        np.testing.assert_array_equal(found(3.0), 3 * DENSE.sum(axis=1))
        another_process(monkeypatch, lowers=True)
        np.testing.assert_array_equal(found(4.0), 4 * DENSE.sum(axis=1))
        another_process(monkeypatch)
        np.testing.assert_array_equal(found(3.0), 3 * DENSE.sum(axis=1))
    finally:
        del sys.modules["edited_format"]


def test_what_may_change_has_no_digest() -> None:
    table: list[int] = []

    def reads_a_list(node: Any) -> Any:
        return table and None

    def reads_nothing(node: Any) -> Any:
        return None

    class Growing:
        held = table

    assert digest(reads_a_list) is None
    assert digest(reads_nothing) is not None
    assert class_digest(Growing) is None
    assert digest(os) is None


def test_rules_without_a_digest_are_applied_anew(own_cache: Path) -> None:
    table: list[int] = []

    @rule(Call, "multiply")
    def counted(node: Call) -> None:
        table.append(1)

    with sa.options(tier="interpreted", rules=RuleSet((counted,))):
        (operand() * 2.5).compute()
    assert plans(own_cache) == 0


def test_where_kernels_are_told_of_they_are_lowered(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_plans, "debug", lambda stage: stage == "looplets")
    with sa.options(tier="interpreted"):
        (operand() * 3.25).compute()
    assert plans(own_cache) == 0


SCRIPT = """
import numpy as np, structarr as sa
from structarr._execute import program_choice
found = []
make = program_choice.compile_program
program_choice.compile_program = lambda *args: found.append(1) or make(*args)
a = sa.asarray(np.arange(12.0).reshape(3, 4), format="csr")
with sa.options(tier="interpreted"):
    assert (a * a).todense().tolist() == (np.arange(12.0).reshape(3, 4) ** 2).tolist()
print(len(found))
"""


def test_processes_at_once_and_after_one_another() -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", SCRIPT]
    started = [
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    assert {one.communicate()[0].strip() for one in started} <= {"0", "1", "2"}
    last = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    assert last.stdout.strip() == "0"


def test_what_outgrew_its_budget_is_not_lowered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def outgrown(program: Any, rules: Any, budget: int | None) -> Any:
        asked.append(1)
        return make(program, rules, budget if budget is None else 1)

    make = program_choice.compile_program
    a = operand()
    with sa.options(tier="interpreted"):
        wanted = ((a + 1.5) * (a - 2.5)).todense()
        another_process(monkeypatch, lowers=True)
        monkeypatch.setattr(surroundings, "of_plans", lambda: "small budgets")
        monkeypatch.setattr(program_choice, "compile_program", outgrown)
        np.testing.assert_array_equal(((a + 1.5) * (a - 2.5)).todense(), wanted)
        assert asked
        another_process(monkeypatch)
        np.testing.assert_array_equal(((a + 1.5) * (a - 2.5)).todense(), wanted)


def test_machine_code_depends_on_each_folder_that_its_translation_imports() -> None:
    imported = re.compile(r"from structarr\._compiler\.backend\.(\w+)\.\w+ import")
    files = (surroundings.PACKAGE / "_compiler/backend/llvm").glob("*.py")
    folders = {name for file in files for name in imported.findall(file.read_text())}
    assert "text" in folders
    assert {f"_compiler/backend/{name}" for name in folders} <= {*surroundings.TRANSLATING}


def test_operators_whose_functions_may_have_changed_are_not_found_again() -> None:
    stable = sa.operator(lambda x: x * 2.0, name="doubled", dtype="float64")
    (op,) = [one for one in ops._outside.values() if one.name.startswith("doubled")]
    assert decoded(encoded(op)) is op
    text = encoded(op)
    object.__setattr__(op.function, "stable", False)
    with pytest.raises(WithoutText):
        decoded(text)
    with pytest.raises(WithoutText):
        decoded(text.replace("doubled", "other"))
    assert stable is not None  # which holds the operator


def test_files_are_asked_for_once_something_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "_waiting", deque())  # what other tests left is not written now
    asked: list[object] = []
    found: Callable[..., Any] = surroundings._found
    monkeypatch.setattr(surroundings, "_found", lambda name: asked.append(name) or found(name))
    surroundings._listed.cache_clear()
    surroundings._name.cache_clear()
    assert folder.is_empty() and not surroundings.is_known() and not asked
    (operand() * 2.0).compute()
    assert not asked
    another_process(monkeypatch)
    assert not folder.is_empty() and surroundings.is_known() and asked
    assert np.array_equal((operand() * 2.0).todense(), DENSE * 2)


def test_nothing_is_kept_where_there_is_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "directory", lambda: None)
    assert folder.is_empty()
