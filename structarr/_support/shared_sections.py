"""The text of sections that docstrings share; `docstrings` puts it where they name it."""

from typing import Final

PARAMETERS: Final = """
$elements
{} : array_like
    Array of any shape, of a numeric or boolean dtype.

$real
{} : array_like
    Array of any shape, of a real or boolean dtype.

$array
{} : array_like
    Array of any shape and dtype.

$operands
{} : array_like
    Operands of any shapes that broadcast to a common one.

$axes
axis : int or tuple of int, optional
    Axes to reduce; negative ones count from the end. None stands for all axes.

$dtype
dtype : dtype_like, optional
    Dtype in which to compute, and of the result; None stands for NumPy's choice.

$made
dtype : dtype_like, optional
    Dtype of the elements; None stands for float64.

$likeness
x : array_like
    Array whose shape and dtype are taken; its values do not matter.
dtype : dtype_like, optional
    Dtype of the elements; None stands for that of `x`.
order : {"C", "F", "A", "K"}, optional
    Accepted as NumPy's function has it, and ignored.
subok : bool, optional
    Accepted as NumPy's function has it, and ignored.
shape : int or sequence of int, optional
    Lengths of the axes; None stands for those of `x`.
device : {"cpu"}, optional
    Device of the array; there is one.
format : str, Level or Format, optional
    How to store the array; None leaves it as it is made, or as `options(default_format=...)` says.

$lengths
shape : int or sequence of int
    Lengths of the axes, none of them negative.

$device
device : {"cpu"}, optional
    Device of the array; there is one.

$stored_as
format : str, Level or Format, optional
    How to store the array; None leaves it as it is made, or as `options(default_format=...)` says.

$out
out : numpy.ndarray, optional
    NumPy array that takes the result and is returned; the result must broadcast to its shape.

$keepdims
keepdims : bool, optional
    Whether the reduced axes are kept, with length one.

$initial
initial : scalar, optional
    Value that the elements' result is combined with in the end; the result if there are none.

$mask
where : array_like of bool, optional
    Elements to include; it broadcasts to the shape of the elements.

$ddof
ddof : float, optional
    Delta degrees of freedom: the sum of squares is divided by the number of elements minus it.

$correction
correction : float, optional
    Name of `ddof` in the array API.

$mean
mean : array_like, optional
    Mean with the axes kept, if it is known already.

$sections
indices_or_sections : int or sequence of int
    Number of parts of equal length, or the indices at which to split.

$casting
casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
    Casts to `dtype` that are allowed.

$csgraph
{} : array_like or scipy.sparse array
    Graph as a square matrix: element (i, j) is the weight of the edge from node i to node j. In a
    sparse array each stored element is an edge, zeros among them.

$directed
directed : bool, optional
    Whether edges lead from rows to columns alone, and not both ways.

$nodes
indices : array_like of int, optional
    Nodes at which paths begin; None stands for all.

$predecessors
return_predecessors : bool, optional
    Whether to return the predecessor of each node on its path, too.

$unweighted
unweighted : bool, optional
    Whether each edge counts as one, whatever its weight.

$overwrite
overwrite : bool, optional
    Ignored for arrays of structarr, which are values.

$start
i_start : int
    Node at which the search begins.

$nulls
null_value : float, optional
    Weight that stands for the absence of an edge.
nan_null, infinity_null : bool, optional
    Whether NaN and infinity stand for it, too.

$own
{} : array_like
    Array of any shape; a dense copy of it is made.

$polynomials
{} : array_like or numpy.poly1d
    Vectors of coefficients, that of the highest power first.

$matrix
{} : array_like
    Matrix, or a stack of matrices; a dense copy is made, which `densify_limit` must allow.

$rows
n_rows, n_cols : int
    Shape of the matrix; `n_cols` is `n_rows` if it is left out.

$diagonal
k : int, optional
    Diagonal: 0 is the main one, positive ones are above it, negative ones below.

$unused
{}
    Accepted as NumPy's function has it, and ignored.

$image
{} : array_like
    Of one to three axes; what is not 0 is inside.

$measured
input : array_like
    The values: real, dense or stored in any way.
labels : array_like, optional
    Integers of the shape of `input`, or one that is broadcast with it; None for one group of all.
index : int or sequence of int, optional
    The labels whose elements are measured, each by itself; None for all above 0 together.

$structure
structure : array_like, optional
    The elements that belong to one in the middle, which for an even extent is behind it: of any
    extents, bool. None stands for a cross, the neighbours across faces. It is taken apart into
    boxes, each of which takes the same time whatever its size.
iterations : int
    How often, or, below 1, until nothing changes any more.
mask : array_like, optional
    The elements that may change, in each iteration.
border_value : int
    Whether what is outside of the image counts as set.
origin : int or sequence of int
    How far the middle lies further along each axis.
size : int or tuple of int, optional
    A box in the place of `structure`: its extent along each axis, all alike if it is one number;
    1 leaves an axis alone, so that a line is a box along one axis.
"""

RESULTS: Final = """
$elementwise
Array
    Lazy, in a format that follows from the operands' formats and the function. What no operand
    stores is not stored, nor what is the fill value for certain, as in a product with a zero
    that is not stored; runs stay runs. Computing takes time proportional, at most, to the number
    of elements that the operands (after broadcasting) and the result store.

$mapped
Array
    Lazy, in a format of the same structure as the operand's. Its fill value is the function of
    the operand's fill value. Computing takes time proportional to the number of stored elements,
    where a run counts as one.

$reduced
Array
    Lazy. The kept axes have the structure that docs/structure.md states for reductions.
    Computing takes time proportional to the number of stored elements, where a run that is
    reduced whole counts as one, and to the size of the result.

$view
Array
    Lazy view in the array's own format: nothing is copied. Reading it takes time proportional to
    the number of stored elements.

$joined
Array
    Lazy. What the parts do not store stays so if they have one fill value. Computing takes time
    proportional to the number of elements that the parts store.

$product
Array
    Lazy; 0-d for two vectors. Where the operands are sparse by rows, an element without a pair of
    stored factors is not stored; docs/structure.md has the table of formats. Computing takes
    time proportional, at most, to the number of pairs of stored factors that meet.

$sorted_vector
Array
    Dense vector, computed at the call, in the time that it takes to sort the stored elements.

$constant
Array
    In format "constant": one number is stored, whatever the shape, in constant time.

$parts
list of Array
    Lazy views of the array, in order: nothing is copied.

$dense
Array
    Dense, computed at the call by NumPy from dense copies of the arrays: time and memory grow
    with their sizes, not with what is stored.

$factored
Array
    Dense, computed at the call by LAPACK from a dense copy of the matrix, in time proportional
    to the third power of its length.

$transform
Array
    Dense and complex, or real where the function says so. It is computed at the call from a
    dense copy of n elements, in time proportional to n log n.

$distances
numpy.ndarray or tuple of numpy.ndarray
    Distances, infinite where there is no path; with predecessors a tuple of both.

$visited
numpy.ndarray or tuple of numpy.ndarray
    Nodes in the order of the search; with predecessors a tuple of both.

$scipys
scipy.sparse.csr_array
    Graph as an array of SciPy.

$indices
tuple of Array
    Dense vectors of int64, computed at the call, in time proportional to their length.

$numpys
Array or tuple of Array
    Dense, computed at the call by NumPy from dense copies of the arrays: time and memory grow
    with their sizes, not with what is stored.
"""

ERRORS: Final = """
$measured_error
TypeError
    If labels are not integers, or the values are not real.

$structure_error
ValueError
    If the structure has other axes than the image or nothing that is set, both it and a size are
    given, a size is below 1, or the origin is outside of it.

$dtype_error
TypeError
    If the dtype is neither numeric nor boolean, or the function has no meaning for it.

$axis_error
numpy.exceptions.AxisError
    If an axis is out of bounds.

$broadcast_error
ValueError
    If the shapes cannot be broadcast together.

$out_error
TypeError
    If the dtype is neither numeric nor boolean, `out` is not a NumPy array, or the result cannot
    be cast to the dtype of `out`.

$empty_error
ValueError
    If there are no elements, and no `initial`.

$densification
DensificationError
    If a dense copy would be larger than the option `densify_limit`.

$device_error
ValueError
    If a length is negative, or the device is not "cpu".

$square_error
numpy.linalg.LinAlgError
    If there are fewer than two axes, or the last two differ in length.

$singular_error
numpy.linalg.LinAlgError
    If a matrix is singular, or not square.

$square_graph
ValueError
    If the graph is not square, or its fill value is neither 0 nor infinite nor NaN.

$negative_cycle
structarr.csgraph.NegativeCycleError
    If the weights of a cycle have a negative sum.

$parts_error
ValueError
    If there are too few axes, or the parts would not be of equal length.

$shapes_error
ValueError
    If the lengths that are summed over differ.
"""
