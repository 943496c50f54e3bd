"""k-means of documents by their words, weighed by TF-IDF, in chunks of documents.

Each pass sums over the chunks what the new centres need; documents stay where they are.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa

WORDS, TOPICS = 5000, 4


def documents(count: int) -> tuple[sp.csr_array, np.ndarray[Any, Any]]:
    """Return how often each word is in each document, and the topics of the documents."""
    rng = np.random.default_rng(2)
    topics = rng.integers(0, TOPICS, count)
    own = topics[:, None] * (WORDS // TOPICS) + rng.integers(0, WORDS // TOPICS, (count, 30))
    common = rng.integers(0, WORDS, (count, 20))
    words = np.concatenate([own, common], axis=1).ravel()
    places = (np.repeat(np.arange(count), 50), words)
    return sp.csr_array((np.ones(words.size), places), shape=(count, WORDS)), topics


def tf_idf(counts: Any) -> Any:
    """Return the weighed words of documents, each of length one."""
    occur = sa.dask.statistics(counts).nonzero.compute()
    weights = np.log((1 + counts.shape[0]) / (1 + occur)) + 1

    def weighed(block: Any) -> Any:
        made = block * weights
        return made / np.sqrt((made * made).sum(axis=1, keepdims=True))

    return counts.map_blocks(weighed, dtype=float, meta=counts._meta).persist()


def labels(block: Any, centres: Any) -> Any:
    """Return the nearest centre of each document."""
    return (np.asarray(block @ centres.T) - (centres**2).sum(axis=1) / 2).argmax(axis=1)


def sums(block: Any, centres: Any) -> Any:
    """Return the sum of the documents nearest to each centre, and how many these are."""
    nearest = labels(block, centres)
    members = sp.csr_array(
        (np.ones(len(nearest)), nearest, np.arange(len(nearest) + 1)),
        shape=(len(nearest), len(centres)),
    )
    total = np.asarray(sa.asarray(members).T @ block)
    return np.concatenate([total, np.bincount(nearest, minlength=len(centres))[:, None]], axis=1)


def centres_of(x: Any, start: Any, passes: int = 20) -> Any:
    """Return the centres after as many passes, or when they no longer move."""
    centres = start
    for _ in range(passes):
        found = sa.dask.sum_chunks(sums, x, centres, shape=(TOPICS, WORDS + 1)).compute()
        new = found[:, :-1] / np.maximum(found[:, -1:], 1)
        if np.allclose(new, centres):
            break
        centres = new
    return centres


def main() -> None:
    count = int(float(sys.argv[1])) if len(sys.argv) > 1 else 20_000
    counts, topics = documents(count)
    x = tf_idf(sa.dask.from_array(counts, nbytes=counts.data.nbytes // 2))
    first = [int(np.argmax(topics == topic)) for topic in range(TOPICS)]

    centres = centres_of(x, np.asarray(x[first].compute()))

    nearest = x.map_blocks(labels, centres, drop_axis=1, dtype=np.int64, meta=np.zeros(0, np.int64))
    share = np.mean(nearest.compute() == topics)
    print(f"k-means: {share:.1%} of {count} documents, in {x.npartitions} chunks, have their topic")
    assert share > 0.95


if __name__ == "__main__":
    main()
