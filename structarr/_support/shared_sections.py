"""The text of sections that docstrings share; `docstrings` puts it where they name it."""

from typing import Final

PARAMETERS: Final = """
$elements
{} : array_like
    The elements, of any shape: numbers or booleans.

$real
{} : array_like
    The elements, of any shape: real numbers or booleans.

$array
{} : array_like
    The array, of any shape and dtype.

$operands
{} : array_like
    The operands; their shapes are broadcast to a common one.

$axes
axis : int or tuple of int, optional
    The axes that are reduced, from the end if below zero; None stands for all.

$dtype
dtype : dtype_like, optional
    In which to compute, and that of the result; None stands for NumPy's choice.

$made
dtype : dtype_like, optional
    That of the elements; None stands for float64.

$likeness
x : array_like
    The other array, whose values do not matter.
dtype : dtype_like, optional
    That of the elements; None stands for that of `x`.
order : {"C", "F", "A", "K"}, optional
    Of no consequence here.
subok : bool, optional
    Of no consequence here.
shape : int or sequence of int, optional
    The lengths of the axes; None stands for those of `x`.
device : {"cpu"}, optional
    Where the array is to live.

$lengths
shape : int or sequence of int
    The lengths of the axes, none below zero.

$device
device : {"cpu"}, optional
    Where the array is to live.

$out
out : numpy.ndarray, optional
    Where to put the result, which is returned: of a shape that it is broadcast to.

$keepdims
keepdims : bool, optional
    Whether the axes that are reduced stay, with length one.

$initial
initial : scalar, optional
    What the elements are combined with; the result where there are none.

$mask
where : array_like of bool, optional
    Which elements to take; it is broadcast to the shape of the elements.

$ddof
ddof : float, optional
    What is taken off the number of elements, by which the sum of squares is divided.

$correction
correction : float, optional
    The array API's name for `ddof`.

$mean
mean : array_like, optional
    The mean with the axes kept, where it is known already.

$sections
indices_or_sections : int or sequence of int
    How many parts of equal length, or the places to cut at.

$casting
casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
    Which casts to `dtype` are allowed.

$csgraph
{} : array_like or scipy.sparse array
    The graph, a square matrix: element (i, j) is the weight of the edge from node i to j. An array
    that leaves something out has an edge for each stored element, zeros among them.

$directed
directed : bool, optional
    Whether edges lead from rows to columns alone, and not both ways.

$nodes
indices : array_like of int, optional
    The nodes where paths begin; None stands for all.

$predecessors
return_predecessors : bool, optional
    Whether to return the node before each on its path, too.

$unweighted
unweighted : bool, optional
    Whether every edge counts as one.

$overwrite
overwrite : bool, optional
    Of no consequence for arrays of ours: arrays are values.

$start
i_start : int
    The node where the search begins.

$nulls
null_value : float, optional
    What means that there is no edge.
nan_null, infinity_null : bool, optional
    Whether NaN and infinity mean so, too.

$own
{} : array_like
    Of any shape; a dense copy of it is made.

$polynomials
{} : array_like or numpy.poly1d
    Vectors of coefficients, the highest power's first.

$matrix
{} : array_like
    A matrix, or a stack of them; the dense one must be below `densify_limit`.

$rows
n_rows, n_cols : int
    The shape; a square if `n_cols` is left out.

$diagonal
k : int, optional
    The diagonal: above the main one if positive, below it if negative.

$unused
{}
    Of no consequence here: accepted as NumPy's function has it.

$image
image : array_like
    Of one to three axes; what is not 0 is inside.

$size
size : int or tuple of int
    The extent of the box along each axis, all alike if it is one number; 1 leaves an axis alone,
    so that a line is a box along one axis. The center of an even extent is behind its middle.
"""

RESULTS: Final = """
$elementwise
Array
    Lazy. Its format follows from those of the operands: it leaves out what has the same
    value wherever nothing is stored, and runs stay runs. Computing it takes time at most in
    proportion to what the operands, once they are broadcast, and the result store.

$mapped
Array
    Lazy. It stores what the operand does, in a format of the same structure; what is not
    stored has the value of the function at the operand's fill. Computing it takes time in
    proportion to what is stored: a run counts as one element.

$reduced
Array
    Lazy. The axes that stay have the structures that the page on structure says of
    reductions. Computing it takes time in proportion to what is stored and to the size of
    the result; a run that is reduced whole counts as one element.

$view
Array
    Lazy, without a copy: reading it reads the array in its own format, in time in
    proportion to what is stored.

$joined
Array
    Lazy. What the parts leave out stays left out where they have one fill. Computing it
    takes time in proportion to what the parts store.

$product
Array
    Lazy; of no axes for vectors. What has no pair of stored factors is left out, where the
    operands leave it out by rows; the page on structure has the table. Computing it takes
    time in proportion to the pairs of stored factors that meet, at most.

$sorted_vector
Array
    A dense vector, computed at the call: the time is that of sorting what is stored.

$constant
Array
    In format "constant": one number is stored, however many elements there are.

$parts
list of Array
    Lazy views of the array, in their order: nothing is copied.

$dense
Array
    Dense, computed at the call by NumPy on dense copies of the arrays.

$factored
Array
    Dense, computed at the call by LAPACK on a dense copy of the matrix.

$transform
Array
    Dense and complex, or real where the function says so; computed at the call.

$distances
numpy.ndarray or tuple of numpy.ndarray
    The distances, infinite where there is no path; with predecessors a tuple of both.

$visited
numpy.ndarray or tuple of numpy.ndarray
    The nodes in their order; with predecessors a tuple of both.

$scipys
scipy.sparse.csr_array
    A graph of SciPy.

$indices
tuple of Array
    Dense vectors of int64, computed at the call.

$numpys
Array or tuple of Array
    Dense, computed at the call by NumPy on dense copies of the arrays.
"""

ERRORS: Final = """
$size_error
ValueError
    If the size is below 1, or there are not as many as axes.

$dtype_error
TypeError
    If elements are neither numbers nor booleans, or the function has no meaning for their
    dtype.

$axis_error
numpy.exceptions.AxisError
    If there is no such axis.

$broadcast_error
ValueError
    If the shapes cannot be broadcast.

$out_error
TypeError
    If elements are neither numbers nor booleans, or `out` is not an array of NumPy's, or of
    a dtype that the result cannot be cast to.

$empty_error
ValueError
    If there is no element, and no `initial`.

$densification
DensificationError
    If a dense copy would be larger than the option `densify_limit`.

$device_error
ValueError
    If a length is below zero, or the device is not "cpu".

$square_error
numpy.linalg.LinAlgError
    If there are fewer axes than two, or the last two differ in length.

$singular_error
numpy.linalg.LinAlgError
    If a matrix is singular, or not square.

$square_graph
ValueError
    If the graph is not square, or its fill is neither 0 nor infinite nor NaN.

$negative_cycle
structarr.csgraph.NegativeCycleError
    If a cycle has a weight below zero.

$parts_error
ValueError
    If there are too few axes, or the parts would not be of equal length.

$shapes_error
ValueError
    If the lengths that are summed over differ.
"""
