"""How many pieces a call is worth."""

from structarr._execute.partition_cuts import pieces_of
from structarr._execute.partition_split import Split

SUMMED, ROWS = Split(0, frozenset({0}), ("add",)), Split(0, frozenset({0}), (None,))


def test_results_that_each_piece_has_for_itself_make_pieces_fewer():
    """Adding up the results of pieces takes less time than the pieces do."""
    large = (100_000, 16)
    assert pieces_of(SUMMED, [(10,)], 0.015) == 30
    assert pieces_of(SUMMED, [large], 0.015) == 0
    assert pieces_of(ROWS, [large], 0.015) == 30
