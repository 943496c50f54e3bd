"""Calls of fixed lengths: what follows from these is in their text."""

from structarr._execute.whole_call import _folded


def test_lengths_that_are_known_are_numbers() -> None:
    lines = [
        "f0 = 1 * 100",
        "f1 = f0 * 4",
        "if (f1 * 8 > limit) and not guard(f1): return None",
        "O = ((zeros(f1, dtype) if f1 < 16384 else pooled_zeros(f1, dtype)),)",
    ]
    found, made = _folded(lines, "Tensor(O, f0)")
    assert found == [
        "if (400 * 8 > limit) and not guard(400): return None",
        "O = (zeros(400, dtype),)",
    ]
    assert made == "Tensor(O, 100)"


def test_large_room_is_pooled() -> None:
    line = "O = ((empty(f0, dtype) if f0 < 16 else pooled_empty(f0, dtype)),)"
    assert _folded(["f0 = 16", line], "O") == (["O = (pooled_empty(16, dtype),)"], "O")


def test_lengths_that_a_kernel_tells_are_not_those_of_before() -> None:
    lines = ["f0 = 1 * 3", "f1 = 3 * 5", "s1, f1 = counted(f0, 5, (W[0], ))", "f0 = f0 * 2"]
    found, made = _folded(lines, "cut(O, f1, f0)")
    assert found == ["s1, f1 = counted(3, 5, (W[0], ))"]
    assert made == "cut(O, f1, 6)"
