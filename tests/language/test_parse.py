"""What programs say, and where they are wrong."""

from __future__ import annotations

import functools
import inspect
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from structarr._language.read.expressions import lifted
from structarr._language.read.messages import error
from structarr._language.read.parse import parse_function, parse_source, parse_text
from structarr._language.read.syntax import (
    Apply,
    Assign,
    For,
    If,
    Length,
    Make,
    Missing,
    Modified,
    Name,
    Number,
    Place,
    Program,
    Read,
    Syntax,
)
from structarr.errors import ProgramError

AT = Place(1, 0, 1)


def name(text):
    return Name(text, at=AT)


def number(value):
    return Number(value, at=AT)


def read(array, *indices):
    return Read(array, tuple(name(i) for i in indices), at=AT)


def apply(op, *args):
    return Apply(op, args, at=AT)


def assign(target, op, value):
    return Assign(target, op, value, at=AT)


def value(text):
    """The value that an expression is read as."""
    (statement,) = parse_text(f"t = {text}").body
    return statement.value


A, B, C, E, T, N = (name(one) for one in "abcetn")
Y, X = read("y", "i"), read("x", "i")


EXPRESSIONS = [
    ("a", A),
    ("True", number(True)),
    ("2.5j", number(2.5j)),
    ("missing", Missing(at=AT)),
    ("sa.missing", Missing(at=AT)),
    ("np.inf", number(np.inf)),
    ("math.pi", number(np.pi)),
    ("np.nan", number(np.nan)),
    ("x[i]", X),
    ("x[i, j]", read("x", "i", "j")),
    ("x[(i, j)]", read("x", "i", "j")),
    ("x[()]", read("x")),
    ("x[f[i]]", Read("x", (read("f", "i"),), at=AT)),
    (
        "x[2*i + 1]",
        Read("x", (apply("add", apply("multiply", number(2), name("i")), number(1)),), at=AT),
    ),
    ("A.shape[1]", Length("A", 1, at=AT)),
    ("A.shape[-1]", Length("A", -1, at=AT)),
    ("len(A)", Length("A", 0, at=AT)),
    ("-a", apply("negative", A)),
    ("+a", apply("positive", A)),
    ("~a", apply("invert", A)),
    ("not a", apply("logical_not", A)),
    ("a and b and c", apply("logical_and", apply("logical_and", A, B), C)),
    ("a or b", apply("logical_or", A, B)),
    ("a < b", apply("less", A, B)),
    ("a < b <= c", apply("logical_and", apply("less", A, B), apply("less_equal", B, C))),
    ("a if c else b", apply("where", C, A, B)),
    ("f(a)", apply("f", A)),
    ("f()", apply("f")),
    ("np.sqrt(a)", apply("sqrt", A)),
    ("xp.linalg.f(a)", apply("f", A)),
    ("abs(a)", apply("absolute", A)),
    ("np.conj(a)", apply("conjugate", A)),
    ("np.acos(a)", apply("arccos", A)),
    ("atan2(a, b)", apply("arctan2", A, B)),
    ("pow(a, b)", apply("power", A, B)),
    ("np.mod(a, b)", apply("remainder", A, B)),
    ("np.bitwise_left_shift(a, b)", apply("left_shift", A, B)),
    ("bitwise_invert(a)", apply("invert", A)),
    ("round(a)", apply("round", A)),
    ("min(a, b)", apply("minimum", A, B)),
    ("max(a, b, c)", apply("maximum", A, apply("maximum", B, C))),
    ("int(a)", apply("astype:int64", A)),
    ("float(a)", apply("astype:float64", A)),
    ("complex(a)", apply("astype:complex128", A)),
    ("np.bool_(a)", apply("astype:bool", A)),
    ("np.float32(a)", apply("astype:float32", A)),
    ("coalesce(a, b, 0)", apply("coalesce", A, B, number(0))),
    ("sa.gallop(a)", Modified("gallop", A, at=AT)),
    ("permit(a)", Modified("permit", A, at=AT)),
    ("offset(a, b)", apply("subtract", B, A)),
    ("window(a, b, c)", apply("window", A, B, C)),
]


@pytest.mark.parametrize(("text", "expected"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_an_expression_says(text, expected):
    assert value(text) == expected


@pytest.mark.parametrize(
    ("sign", "op"),
    [
        *(("+", "add"), ("-", "subtract"), ("*", "multiply"), ("/", "divide")),
        *(("//", "floor_divide"), ("%", "remainder"), ("**", "power"), ("&", "bitwise_and")),
        *(("|", "bitwise_or"), ("^", "bitwise_xor"), ("<<", "left_shift"), (">>", "right_shift")),
    ],
)
def test_a_sign_means_numpys_operator_and_updates_by_it(sign, op):
    assert value(f"a {sign} b") == apply(op, A, B)
    expected = assign(Y, op, A)
    if sign == "-":
        expected = assign(Y, "add", apply("negative", A))
    assert parse_text(f"y[i] {sign}= a").body == (expected,)


@pytest.mark.parametrize(
    ("sign", "op"),
    [
        *(("==", "equal"), ("!=", "not_equal"), ("<", "less"), ("<=", "less_equal")),
        *((">", "greater"), (">=", "greater_equal")),
    ],
)
def test_a_comparison_means_numpys_operator(sign, op):
    assert value(f"a {sign} b") == apply(op, A, B)


STATEMENTS = [
    ("t = 0.0", assign(T, None, number(0.0))),
    ("y[i] = x[i]", assign(Y, None, X)),
    ("c[()] += a", assign(read("c"), "add", A)),
    ("y[i] = min(y[i], e)", assign(Y, "minimum", E)),
    ("y[i] = min(e, y[i])", assign(Y, "minimum", E)),
    ("y[i] = min(y[i], a, b)", assign(Y, "minimum", apply("minimum", A, B))),
    ("y[i] = y[i] + e", assign(Y, "add", E)),
    ("y[i] = e + y[i]", assign(Y, "add", E)),
    ("t = t * e", assign(T, "multiply", E)),
    ("y[i] = y[i] - e", assign(Y, "add", apply("negative", E))),
    ("y[i] = e - y[i]", assign(Y, None, apply("subtract", E, Y))),
    ("y[i] = y[i] / e", assign(Y, "divide", E)),
    ("y[i] = y[i] and e", assign(Y, "logical_and", E)),
    ("y[i] = f(y[i], e)", assign(Y, "f", E)),
    ("y[i] = f(e, y[i])", assign(Y, None, apply("f", E, Y))),
    ("y[i] = y[i] + y[i]", assign(Y, None, apply("add", Y, Y))),
    ("y[i] = y[i] + 2*y[i]", assign(Y, None, apply("add", Y, apply("multiply", number(2), Y)))),
    ("y[i] = y[j] + e", assign(Y, None, apply("add", read("y", "j"), E))),
    ("y[i] <<min>>= e", assign(Y, "minimum", E)),
    ("y[i] << sa.min >>= e", assign(Y, "minimum", E)),
    ("y[i] <<f>>= e", assign(Y, "f", E)),
    ("y[i] <<or>>= e", assign(Y, "logical_or", E)),
    ("y[i] <<subtract>>= e", assign(Y, "add", apply("negative", E))),
    ("y[i] = (  # <<min>>=\n    e)", assign(Y, None, E)),
    ("for i in range(n): pass", For("i", None, N, (), at=AT)),
    ("for i in range(a, b): y[i] = e", For("i", A, B, (assign(Y, None, E),), at=AT)),
    ("if a: pass", If(A, (), at=AT)),
    (
        "if a: t = 1\nelif b: t = 2\nelse: t = 3",
        If(
            A,
            (assign(T, None, number(1)),),
            (If(B, (assign(T, None, number(2)),), (assign(T, None, number(3)),), at=AT),),
            at=AT,
        ),
    ),
    ("t = zeros(n)", Make("t", (N,), number(0.0), at=AT)),
    ("t = np.empty((n, a))", Make("t", (N, A), number(0.0), at=AT)),
    ("t = numpy.ones(())", Make("t", (), number(1.0), at=AT)),
    ("t = xp.full([n], e)", Make("t", (N,), E, at=AT)),
    ("t = np.full(shape=n, fill_value=e, dtype=bool)", Make("t", (N,), E, "bool", at=AT)),
    ("t = np.zeros(n, np.float32)", Make("t", (N,), number(0.0), "float32", at=AT)),
    ("t = np.zeros(n, dtype='uint8')", Make("t", (N,), number(0.0), "uint8", at=AT)),
    ("t = np.zeros(n, dtype=int)", Make("t", (N,), number(0.0), "int64", at=AT)),
    ("t = np.zeros(n, None)", Make("t", (N,), number(0.0), at=AT)),
]


@pytest.mark.parametrize(("text", "expected"), STATEMENTS, ids=[text for text, _ in STATEMENTS])
def test_a_statement_says(text, expected):
    assert parse_text(text).body == (expected,)


def test_numbers_that_python_calls_equal_are_not():
    assert len({number(1), number(1.0), number(True), number(1 + 0j)}) == 4
    assert number(0.0) != number(-0.0)
    assert number(np.nan) == number(np.nan)


EQUAL = [
    "t = 0.0; y[i] = t + 1; pass",
    "t = 0.0\ny[i] = t + 1\n",
    "\n    t = 0.0\n\n    y[i] = t + 1\n  ",
    "\tt = 0.0\n\ty[ i ] = (t\n+ 1)  # one more",
    "t = 0.0\r\ny[i] = t + 1\r",
]


@pytest.mark.parametrize("text", EQUAL)
def test_programs_that_say_the_same_are_equal(text):
    assert parse_text(text).body == parse_text(EQUAL[0]).body


ADVICE = [
    # text, the place that is shown, what is underlined there, what is said
    ("y[i] = x[i:2]", "1:10", "i:2", "a slice is not supported"),
    ("y[i] = x[..., i]", "1:10", "...", "Ellipsis is no value"),
    ("y[i] = x[None, i]", "1:10", "None", "None is no value"),
    ("y[i] = 'a'", "1:8", "'a'", "'a' is no value"),
    ("y[i] = f'{a}'", "1:8", "f'{a}'", "this is no expression of the language"),
    ("y[i] = A[i][j]", "1:8", "A[i][j]", "in one pair of brackets"),
    ("y[i] = f(x)[i]", "1:8", "f(x)[i]", "only an array that has a name"),
    ("y[i] = A.T", "1:8", "A.T", "the attribute `.T` is not supported"),
    ("y[i] = A.shape", "1:8", "A.shape", "one length at a time"),
    ("y[i] = A.shape[k]", "1:16", "k", "a literal integer"),
    ("y[i] = A.shape[True]", "1:16", "True", "a literal integer"),
    ("y[i] = len(A, B)", "1:8", "len(A, B)", "`len` takes the name of one array"),
    ("y[i] = a @ b", "1:8", "a @ b", "`@` is not supported"),
    ("y[i] @= b", "1:1", "y[i] @= b", "`@` is not supported"),
    ("y[i] = a in b", "1:8", "a in b", "compare by"),
    ("y[i] = a is b", "1:8", "a is b", "compare by"),
    ("y[i] = (t := a)", "1:9", "t := a", "`:=` is not supported"),
    ("y[i] = lambda: a", "1:8", "lambda: a", "a lambda is not supported"),
    ("y[i] = f(a for a in b)", "1:9", "(a for a in b)", "a comprehension is not supported"),
    ("y[i] = [a for a in b]", "1:8", "[a for a in b]", "a comprehension is not supported"),
    ("y[i] = {a: 1 for a in b}", "1:8", "{a: 1 for a in b}", "a comprehension is not supported"),
    ("y[i] = (a, b)", "1:8", "(a, b)", "a tuple is no value"),
    ("y[i] = [a, b]", "1:8", "[a, b]", "a list is no value"),
    ("y[i] = f(*a)", "1:10", "*a", "a starred value is not supported"),
    ("y[i] = f(a, b=c)", "1:13", "b=c", "keyword arguments are not supported"),
    ("y[i] = f(**a)", "1:10", "**a", "keyword arguments are not supported"),
    ("y[i] = f(a)(b)", "1:8", "f(a)(b)", "only a function that has a name"),
    ("y[i] = gallop(a, b)", "1:8", "gallop(a, b)", "`gallop` takes 1 value, not 2"),
    ("y[i] = offset(a)", "1:8", "offset(a)", "`offset` takes 2 values, not 1"),
    ("y[i] = window(a)", "1:8", "window(a)", "`window` takes 3 values, not 1"),
    ("y[i] = sqrt(a, b)", "1:8", "sqrt(a, b)", "`sqrt` takes 1 value, not 2"),
    ("y[i] = min(a)", "1:8", "min(a)", "`min` takes 2 values, not 1"),
    ("y[i] = int(a, 2)", "1:8", "int(a, 2)", "`int` takes 1 value, not 2"),
    ("y[i] = math.remainder(a, b)", "1:8", "math.remainder(a, b)", "rounds to the nearest"),
    ("y[i] = np.zeros(n)", "1:8", "np.zeros(n)", "`zeros` makes an array"),
    ("t = a + np.zeros(n)", "1:9", "np.zeros(n)", "`zeros` makes an array"),
    ("t = np.zeros()", "1:5", "np.zeros()", "`zeros` needs its argument `shape`"),
    ("t = np.full(n)", "1:5", "np.full(n)", "`full` needs its argument `fill_value`"),
    ("t = np.zeros(n, int, 1)", "1:22", "1", "`zeros` takes shape, dtype"),
    ("t = np.zeros(n, order='C')", "1:17", "order='C'", "`zeros` takes shape, dtype"),
    ("t = np.zeros(n, shape=n)", "1:17", "shape=n", "`zeros` takes shape, dtype"),
    ("t = np.zeros(n, float16)", "1:17", "float16", "`float16` is no dtype"),
    ("t = np.zeros(n, 'i4, i4')", "1:17", "'i4, i4'", "`i4, i4` is no dtype"),
    ("t = np.zeros(n, 3)", "1:17", "3", "a dtype is a name"),
    ("t = np.zeros(A.T.shape)", "1:14", "A.T.shape", "one length at a time"),
    ("y[i] <<sqrt>>= a", "1:1", "y[i] <<sqrt>>= a", "`sqrt` takes 1 value, not 2"),
    ("a = b = c", "1:5", "b", "one target at a time"),
    ("a, b = c", "1:1", "a, b", "one target at a time"),
    ("a.b = c", "1:1", "a.b", "the attribute `.b` is not supported"),
    ("a.shape[0] = c", "1:1", "a.shape[0]", "only a name or an element can be assigned"),
    ("missing = c", "1:1", "missing", "use another name"),
    ("for missing in range(n): pass", "1:5", "missing", "use another name"),
    ("y[i]: int = 3", "1:1", "y[i]: int = 3", "an annotation is not supported"),
    ("f(a)", "1:1", "f(a)", "a value on its own does nothing"),
    ("y[i] == a", "1:1", "y[i] == a", "`=` assigns"),
    ("for i, j in n: pass", "1:5", "i, j", "a loop has one index"),
    ("for i in x: pass", "1:10", "x", "loop over one index by `for i in range(stop):`"),
    ("for i in range(): pass", "1:10", "range()", "loop over one index"),
    ("for i in range(n, a=1): pass", "1:10", "range(n, a=1)", "loop over one index"),
    ("for i in range(0, n, 2): pass", "1:22", "2", "as in `A[2*i + 1]`"),
    ("for i in range(n):\n  t = 1\nelse:\n  t = 2", "4:3", "t = 2", "`else` of a loop"),
    ("while a: pass", "1:1", "while a: pass", "`while` is not supported"),
    ("with a: pass", "1:1", "with a: pass", "`with` is not supported"),
    ("try:\n  t = 1\nfinally:\n  t = 2", "1:1", "try:", "`try` is not supported"),
    ("def f(): pass", "1:1", "def f(): pass", "a function in a program is not supported"),
    ("class f: pass", "1:1", "class f: pass", "this is no statement of the language"),
    ("import f", "1:1", "import f", "this is no statement of the language"),
    ("for i in range(n):\n  if a: break", "2:9", "break", "`break` is not supported"),
    ("for i in range(n):\n  continue", "2:3", "continue", "`continue` is not supported"),
    ("t = 1\nreturn t", "2:1", "return t", "`return` stands once"),
    ("  t = 1\nt = 2", "2:1", "t = 2", "indented less"),
    ("  t = 1\nelse:\n  t = 2", "3:3", "t = 2", "indented less"),
    ("é = x[é:ü]", "1:7", "é:ü", "a slice is not supported"),
    ("y[é] <<mín>>= 1; y[é] <<min>>= x[:]", "1:34", ":", "a slice is not supported"),
    ("t = 1; t = (a +\n  b.c)", "2:3", "b.c", "the attribute `.c`"),
    ("t = 1; t = a[(b,\n  c):]", "1:14", "(b,", "a slice is not supported"),
    ("\tif a:\n\t\tt\t=\tx[i:]", "2:9", "i:", "a slice is not supported"),
    # What Python itself finds.
    ("t = 1\ny[i = 2", "2:2", "[", "invalid syntax for Python: '[' was never closed"),
    ("  t = 1\n  y[é] = $", "2:10", "$", "invalid syntax for Python: "),
    ("y[i] <<min>>= $", "1:15", "$", "invalid syntax for Python: "),
    ("y[i] = 'a", "1:8", "'", "invalid syntax for Python: "),
    ("  for i in range(n):\n  t = 1", "2:3", "t", "on line 1"),
    ("f(a) = 1", "1:1", "f(a)", "invalid syntax for Python: cannot assign to function call"),
    ("t = 1\nt = \0", "2:5", "\0", "Python cannot read this character"),
    ("t = '\ud800'", "1:6", "\ud800", "Python cannot read this character"),
    ("t = " + "-" * 9999 + "1", "1:1", "t", "nests too deeply"),
    ("t = " + "+".join("a" * 9999), "1:1", "t", "nests too deeply"),
]


def shown(line, start, underlined):
    """The lines of a message that show a place: `start` is its column, from 1."""
    indent = len(line) - len(line.lstrip())
    margin = "".join("\t" if char == "\t" else " " for char in line[indent : start - 1])
    return f"    {line[indent:]}\n    {margin}{'^' * len(underlined)}"


@pytest.mark.parametrize(
    ("text", "at", "underlined", "said"), ADVICE, ids=[repr(row[0][:40]) for row in ADVICE]
)
def test_an_error_shows_its_place(text, at, underlined, said):
    with pytest.raises(ProgramError) as caught:
        parse_text(text)
    number, start = map(int, at.split(":"))
    line = text.split("\n")[number - 1]
    assert line.startswith(underlined, start - 1)  # the row above is right
    message, where, *lines = str(caught.value).split("\n")
    assert said in message
    assert where == f"  line {number}, column {start}"
    assert "\n".join(lines) == shown(line, start, underlined)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("text", ["", "  \n\n", "# nothing"])
def test_an_empty_program_is_refused(text):
    with pytest.raises(ProgramError, match="the program is empty"):
        parse_text(text)
    with pytest.raises(ProgramError, match="the program is empty"):
        parse_source(text)


def ignored(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


SCALE = 2.0


def matvec(A, x):
    """A docstring, with y[i] <<min>>= z in it."""
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            y[i] += SCALE * A[i, j] * x[j]
    return y


def test_a_function_is_a_program():
    program = parse_function(matvec)
    assert (program.name, program.parameters, program.results) == ("matvec", ("A", "x"), ("y",))
    assert program.body == parse_source(inspect.getsource(matvec)).body
    assert program.body == parse_function(inspect.getsource(matvec)).body
    assert isinstance(program.body[0], Make) and isinstance(program.body[1], For)
    assert program.file == __file__
    assert program.text == inspect.getsource(matvec)
    assert program.values["SCALE"] == 2.0


def test_places_of_a_function_count_in_its_file():
    lines = Path(__file__).read_text().split("\n")
    for function in (matvec, _indented()):
        for node in [one for part in parse_function(function).body for one in part.parts()]:
            if isinstance(node, Name):
                at = node.at
                assert lines[at.line - 1][at.column : at.end] == node.name


def _indented():
    scale = 3.0

    @ignored
    @ignored
    def sums(
        x,  # a comment
        y: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Text that is
indented less.
        """  # fmt: skip
        for i in range(len(x)):
            y[i] += scale * x[i] * later
        return x, y

    later = 4.0
    return sums


def test_a_decorated_inner_function_is_a_program():
    program = parse_function(_indented())
    assert program.name == "sums"
    assert program.parameters == ("x", "y")
    assert program.results == ("x", "y")
    assert len(program.body) == 1


def test_names_around_a_function_are_looked_up_when_asked():
    program = parse_function(_indented())
    assert program.values["scale"] == 3.0
    assert program.values["later"] == 4.0
    assert program.values["np"] is np
    assert "nowhere" not in program.values
    assert {"scale", "SCALE"} <= set(program.values)
    assert len(program.values) == len(set(program.values))


def test_a_name_that_is_not_assigned_yet_is_unknown():
    def program(x, y):
        y[0] = x[0] * later

    values = parse_function(program).values
    assert "later" not in values
    later = 1.0
    assert values["later"] == 1.0


def test_an_error_in_a_function_shows_its_file():
    def wrong(x, y):
        for i in range(len(x)):
            y[i] = x[i:]

    lines, first = inspect.getsourcelines(wrong)
    with pytest.raises(ProgramError) as caught:
        parse_function(wrong)
    start = lines[2].index("i:") + 1
    where = f'  File "{__file__}", line {first + 2}, column {start}, in wrong'
    assert str(caught.value).split("\n", 1)[1] == where + "\n" + shown(
        lines[2].rstrip(), start, "i:"
    )


SIGNATURES = [
    ("def f(x, n=3): pass", "1:12", "3", "defaults are not supported"),
    ("def f(x, *, n=3): pass", "1:15", "3", "defaults are not supported"),
    ("def f(*x): pass", "1:8", "x", "without `*`"),
    ("def f(*, x): pass", "1:10", "x", "without `*`"),
    ("def f(**x): pass", "1:9", "x", "without `*`"),
    ("def f(missing): pass", "1:7", "missing", "use another name"),
    ("def f(x):\n  return", "2:3", "return", "a program returns names"),
    ("def f(x):\n  return x[0]", "2:10", "x[0]", "a program returns names"),
    ("def f(x):\n  return x, 1", "2:13", "1", "a program returns names"),
    ("def f(x):\n  return ()", "2:10", "()", "a program returns names"),
    ("def f(x):\n  return x\n  t = 1", "2:3", "return x", "`return` stands once"),
    ("async def f(x): pass", "1:1", "async def f(x): pass", "one `def`, and nothing else"),
    ("import f\ndef f(x): pass", "2:1", "def f(x): pass", "one `def`, and nothing else"),
    ("x = 1", "1:1", "x = 1", "one `def`, and nothing else"),
]


@pytest.mark.parametrize(
    ("text", "at", "underlined", "said"), SIGNATURES, ids=[repr(row[0]) for row in SIGNATURES]
)
def test_an_error_of_a_source_text_shows_its_place(text, at, underlined, said):
    with pytest.raises(ProgramError) as caught:
        parse_source(text)
    number, start = map(int, at.split(":"))
    message, where, *lines = str(caught.value).split("\n")
    assert said in message
    assert where == f"  line {number}, column {start}"
    assert "\n".join(lines) == shown(text.split("\n")[number - 1], start, underlined)


def test_a_function_without_source_is_refused():
    space = {}
    exec("def f(x): pass", space)
    with pytest.raises(ProgramError, match="'f' cannot be found: pass its source text"):
        parse_function(space["f"])
    with pytest.raises(ProgramError, match="a lambda holds no loops"):
        parse_function(lambda x: x)
    for other in (len, 3, type, np.add, functools.partial(matvec)):
        with pytest.raises(ProgramError, match="a Python function or its source text"):
            parse_function(other)


def test_a_place_outside_of_the_text_is_no_crash():
    program = Program("loops", (), (), None, "t = 1", first=5)
    for place in (Place(1, 0, 1), Place(9, 90, 99), Place(5, 3, 2)):
        assert "t = 1" in str(error("wrong", place, program))


# Every program that is printed is read as what it was.

NAMES = st.sampled_from(["a", "é", "tau", "x1"])
INFIX = {"add": "+", "multiply": "*", "less": "<", "logical_or": "or", "left_shift": "<<"}


def printed(node: Syntax) -> str:
    match node:
        case Name(text):
            return text
        case Number(number):
            return repr(number)
        case Missing():
            return "missing"
        case Read(array, indices):
            return f"{array}[{', '.join(map(printed, indices)) or '()'}]"
        case Apply(op, (left, right)) if op in INFIX:
            return f"({printed(left)} {INFIX[op]} {printed(right)})"
        case Apply(op, args):
            return f"{op}({', '.join(map(printed, args))})"
        case Modified(kind, arg):
            return f"{kind}({printed(arg)})"
        case Length(array, axis):
            return f"{array}.shape[{axis}]"
        case Assign(target, op, value):
            return f"{printed(target)} {f'<<{op}>>=' if op else '='} {printed(value)}"
        case For(index, start, stop, body):
            bounds = ", ".join(map(printed, filter(None, (start, stop))))
            return f"for {index} in range({bounds}):" + block(body)
        case If(cond, body, orelse):
            return f"if {printed(cond)}:{block(body)}\nelse:{block(orelse)}"
    raise AssertionError(node)


def block(body):
    lines = "\n".join(map(printed, body)) or "pass"
    return "\n" + "\n".join(f"  {line}" for line in lines.split("\n"))


def modified_outside(indices):
    return tuple(map(lifted, indices))


def wider(inner):
    indices = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Read, NAMES, indices.map(modified_outside), at=st.just(AT)),
        st.builds(Apply, st.sampled_from(sorted(INFIX)), st.tuples(inner, inner), at=st.just(AT)),
        st.builds(Apply, st.just("where"), st.tuples(inner, inner, inner), at=st.just(AT)),
        st.builds(Apply, st.just("f"), indices, at=st.just(AT)),
        st.builds(Modified, st.sampled_from(["walk", "permit"]), inner, at=st.just(AT)),
    )


VALUES = st.recursive(
    st.one_of(
        st.builds(Name, NAMES, at=st.just(AT)),
        st.builds(Number, st.sampled_from([0, 7, 1.5, True, 2j]), at=st.just(AT)),
        st.just(Missing(at=AT)),
        st.builds(Length, NAMES, st.integers(-2, 2), at=st.just(AT)),
    ),
    wider,
    max_leaves=8,
)
UPDATES = st.builds(
    Assign,
    st.builds(
        Read, NAMES.map("out_{}".format), st.tuples(VALUES).map(modified_outside), at=st.just(AT)
    ),
    st.sampled_from(["minimum", "f", "divide"]) | st.none(),
    VALUES,
    at=st.just(AT),
)


def _bodies(inner):
    return st.lists(inner, max_size=2).map(tuple)


BODIES = st.recursive(
    UPDATES,
    lambda inner: st.one_of(
        st.builds(For, NAMES, VALUES | st.none(), VALUES, _bodies(inner), at=st.just(AT)),
        st.builds(If, VALUES, _bodies(inner), _bodies(inner), at=st.just(AT)),
    ),
    max_leaves=4,
)


@given(BODIES)
def test_a_printed_program_is_read_as_what_it_was(statement):
    assert parse_text(printed(statement)).body == (statement,)
    assert parse_text("   " + printed(statement).replace("\n", "\n   ")).body == (statement,)


# Whatever the text is, it is a program or there is an error that shows a place.

WORDS = st.sampled_from(
    [
        *("y", "x[i]", "A", "i", "é", "np", "missing", "f", "0", "1.5", "'s'", "zeros", "full"),
        *("min", "gallop", "window", "len", "shape", "dtype", "range(n)", "float"),
        *("for", "in", "if", "elif", "else", "not", "and", "is", "return", "def", "lambda", "pass"),
        *("=", "+=", "@=", "<<", ">>=", "<<min>>=", "+", "-", "**", "<", "==", ":=", "@"),
        *("(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "*", "\\", "#", '"""', "'", "$"),
        *("\n", "\n  ", "\n    ", "\t", " ", "\f", "\r", "\0", "\u2028", "\ufeff"),
    ]
)
TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(WORDS, max_size=25).map("".join),
    st.lists(WORDS, max_size=25).map(" ".join),
    st.tuples(BODIES.map(printed), WORDS, st.integers(0, 200)).map(
        lambda three: three[0][: three[2]] + three[1] + three[0][three[2] :]
    ),
)


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("parse", [parse_text, parse_source])
@given(text=TEXTS)
def test_any_text_is_a_program_or_an_error(parse, text):
    try:
        program = parse(text)
    except ProgramError as problem:
        assert "\n  line " in str(problem) or "is empty" in str(problem)
        return
    lines = program.text.split("\n")
    for node in [one for part in program.body for one in part.parts()]:
        assert 0 <= node.at.column < node.at.end <= len(lines[node.at.line - 1])


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@given(body=TEXTS)
def test_any_body_of_a_function_is_a_program_or_an_error(body):
    try:
        parse_source("def f(x):\n  t = 1\n  " + body)
    except ProgramError as problem:
        assert "\n  line " in str(problem)
