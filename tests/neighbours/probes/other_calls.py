"""Calls of libraries of graphs, pictures, images, containers, files and of the array API."""

from __future__ import annotations

import copy
import io
import pickle
import tempfile
from pathlib import Path
from typing import Any

import array_api_extra as xpx
import awkward as ak
import cloudpickle
import cv2
import h5py
import joblib
import matplotlib as mpl
import networkx as nx
import numba
import numpy as np
import polars as pl
import pyarrow as pa
import skimage.filters
import skimage.measure
import skimage.morphology
import skimage.transform
import skimage.util
import tifffile
import zarr
from array_api_compat import array_namespace, is_array_api_obj
from PIL import Image

mpl.use("Agg")
import matplotlib.pyplot as plt

NETWORKX: dict[str, Any] = {
    "from_scipy_sparse_array": (
        lambda o: nx.to_numpy_array(nx.from_scipy_sparse_array(o.S)),
        lambda o: o.S,
    ),
    "from_numpy_array": lambda o: nx.to_numpy_array(nx.from_numpy_array(o.S)),
    "to_networkx_graph": lambda o: nx.to_numpy_array(nx.to_networkx_graph(o.S)),
    "from_biadjacency_matrix": (
        lambda o: nx.bipartite.from_biadjacency_matrix(o.A).number_of_edges(),
        lambda o: np.count_nonzero(o.A),
    ),
    "set edges by find": (
        lambda o: nx.DiGraph(list(zip(*map(_listed, o.G.nonzero()), strict=True))).size(),
        lambda o: np.count_nonzero(o.G),
    ),
}


def _listed(x: Any) -> Any:
    return np.asarray(x).tolist()


def _drawn(call: Any) -> Any:
    def probe(o: Any) -> Any:
        figure, axes = plt.subplots()
        try:
            found = call(axes, o)
            figure.canvas.draw()
            return found
        finally:
            plt.close(figure)

    return probe


def _picture(array: Any) -> Any:
    file = io.BytesIO()
    plt.imsave(file, array)
    return np.asarray(Image.open(file))


MATPLOTLIB: dict[str, Any] = {
    "imshow": _drawn(lambda axes, o: axes.imshow(o.A).get_array()),
    "imshow of bool": _drawn(lambda axes, o: axes.imshow(o.B).get_array()),
    "matshow": _drawn(lambda axes, o: axes.matshow(o.A).get_array()),
    "spy": _drawn(lambda axes, o: axes.spy(o.A, markersize=2).get_xdata().size),
    "pcolormesh": _drawn(lambda axes, o: axes.pcolormesh(o.A).get_array()),
    "contour": _drawn(lambda axes, o: axes.contour(o.A).levels),
    "plot": _drawn(lambda axes, o: axes.plot(o.u)[0].get_ydata()),
    "plot of columns": _drawn(lambda axes, o: [line.get_ydata() for line in axes.plot(o.A)]),
    "scatter": _drawn(lambda axes, o: axes.scatter(np.arange(30), o.u).get_offsets()),
    "scatter colours": _drawn(
        lambda axes, o: axes.scatter(np.arange(30), np.arange(30), c=o.u).get_array()
    ),
    "hist": _drawn(lambda axes, o: axes.hist(o.u)[0]),
    "bar": _drawn(lambda axes, o: [bar.get_height() for bar in axes.bar(np.arange(30), o.u)]),
    "fill_between": _drawn(
        lambda axes, o: axes.fill_between(np.arange(30), o.u).get_datalim(axes.transData).height
    ),
    "boxplot": _drawn(lambda axes, o: axes.boxplot(o.A)["medians"][0].get_ydata()),
    "stem": _drawn(lambda axes, o: axes.stem(o.u).markerline.get_ydata()),
    "step": _drawn(lambda axes, o: axes.step(np.arange(30), o.u)[0].get_ydata()),
    "errorbar": _drawn(lambda axes, o: axes.errorbar(np.arange(30), o.u, yerr=o.u)[0].get_ydata()),
    "imsave": lambda o: _picture(o.A),
}

IMAGES: dict[str, Any] = {
    "skimage label": lambda o: skimage.measure.label(o.B),
    "skimage regionprops": lambda o: [
        one.area for one in skimage.measure.regionprops(skimage.measure.label(o.B))
    ],
    "skimage resize": lambda o: skimage.transform.resize(o.A, (10, 4)),
    "skimage gaussian": lambda o: skimage.filters.gaussian(o.A, 1),
    "skimage otsu": lambda o: skimage.filters.threshold_otsu(o.A),
    "skimage dilation": lambda o: skimage.morphology.dilation(o.I),
    "skimage remove_small_objects": lambda o: skimage.morphology.remove_small_objects(
        o.B, max_size=2
    ),
    "skimage block_reduce": lambda o: skimage.measure.block_reduce(o.A, (2, 2)),
    "skimage view_as_windows": lambda o: skimage.util.view_as_windows(o.A, (3, 3)),
    "skimage img_as_float": lambda o: skimage.util.img_as_float(o.I),
    "cv2 resize": lambda o: cv2.resize(o.A, (4, 4)),
    "cv2 GaussianBlur": lambda o: cv2.GaussianBlur(o.A, (3, 3), 0),
    "cv2 connectedComponents": lambda o: cv2.connectedComponents(o.I)[0],
    "Pillow fromarray": lambda o: np.asarray(Image.fromarray(o.I)),
    "tifffile": lambda o: _tiff(o.I),
}


def _tiff(array: Any) -> Any:
    file = io.BytesIO()
    tifffile.imwrite(file, array)
    file.seek(0)
    return tifffile.imread(file)


def _hdf5(array: Any) -> Any:
    with h5py.File(io.BytesIO(), "w") as file:
        file["a"] = array
        return file["a"][...]


def _zarr(array: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        zarr.save(str(Path(folder) / "a.zarr"), array)
        return zarr.load(str(Path(folder) / "a.zarr"))


def _joblib(array: Any) -> Any:
    file = io.BytesIO()
    joblib.dump(array, file)
    file.seek(0)
    return joblib.load(file)


@numba.njit
def _total(array: Any) -> Any:
    return array.sum()


CONTAINERS: dict[str, Any] = {
    "pickle": lambda o: pickle.loads(pickle.dumps(o.A)),
    "cloudpickle": lambda o: pickle.loads(cloudpickle.dumps(o.A)),
    "copy": lambda o: copy.copy(o.A),
    "deepcopy": lambda o: copy.deepcopy(o.A),
    "joblib dump": lambda o: _joblib(o.A),
    "joblib hash": lambda o: joblib.hash(o.A) == joblib.hash(copy.deepcopy(o.A)),
    "joblib Parallel": lambda o: joblib.Parallel(n_jobs=2, backend="threading")(
        joblib.delayed(lambda x: np.asarray(x @ o.v))(o.A) for _ in range(2)
    ),
    "pyarrow array": lambda o: pa.array(o.u).to_numpy(),
    "pyarrow table": lambda o: pa.table({"u": o.u})["u"].to_numpy(),
    "polars Series": lambda o: pl.Series(o.u).to_numpy(),
    "polars DataFrame": lambda o: pl.DataFrame({"u": o.u}).to_numpy(),
    "awkward from_numpy": lambda o: ak.from_numpy(o.A).to_numpy(),
    "awkward Array": lambda o: ak.Array(o.A).to_numpy(),
    "h5py": lambda o: _hdf5(o.A),
    "zarr": lambda o: _zarr(o.A),
    "numba": lambda o: _total(o.A),
    "memoryview": lambda o: np.asarray(memoryview(o.A)),
    "from_dlpack": lambda o: np.from_dlpack(o.A),
}

ARRAY_API: dict[str, Any] = {
    "is_array_api_obj": lambda o: is_array_api_obj(o.A),
    "array_namespace": lambda o: array_namespace(o.A).sum(o.A, axis=0),
    "atleast_nd": lambda o: xpx.atleast_nd(o.u, ndim=3),
    "cov": lambda o: xpx.cov(o.A.T),
    "create_diagonal": lambda o: xpx.create_diagonal(o.u),
    "expand_dims": lambda o: xpx.expand_dims(o.A, axis=(0, 2)),
    "kron": lambda o: xpx.kron(o.A, o.S),
    "nunique": lambda o: xpx.nunique(o.A),
    "pad": lambda o: xpx.pad(o.A, 2),
    "setdiff1d": lambda o: xpx.setdiff1d(o.u, o.u[:4] * 1),
    "sinc": lambda o: xpx.sinc(o.A),
    "apply_where": lambda o: xpx.apply_where(o.A > 1, o.A, np.sqrt, fill_value=0.0),
    "at set": lambda o: xpx.at(o.A)[2, 3].set(7.0),
    "isclose": lambda o: xpx.isclose(o.A, o.A),
}

PROBES = {
    "networkx": NETWORKX,
    "matplotlib": MATPLOTLIB,
    "images": IMAGES,
    "containers": CONTAINERS,
    "array API": ARRAY_API,
}

try:
    import seaborn

    PROBES["seaborn"] = {
        "heatmap": _drawn(lambda axes, o: seaborn.heatmap(o.A, ax=axes).collections[0].get_array()),
        "histplot": _drawn(
            lambda axes, o: [bar.get_height() for bar in seaborn.histplot(o.u, ax=axes).patches]
        ),
        "lineplot": _drawn(
            lambda axes, o: seaborn.lineplot(x=np.arange(30), y=o.u, ax=axes).lines[0].get_ydata()
        ),
        "clustermap": lambda o: seaborn.clustermap(o.S).data2d.to_numpy(),
    }
except ImportError:
    pass

try:
    import einops
    import opt_einsum

    PROBES["einops and opt_einsum"] = {
        "rearrange": lambda o: einops.rearrange(o.A, "(a b) c -> a (b c)", a=4),
        "rearrange transpose": lambda o: einops.rearrange(o.T, "a b c -> c a b"),
        "reduce": lambda o: einops.reduce(o.A, "(a b) c -> a c", "sum", a=4),
        "reduce max": lambda o: einops.reduce(o.T, "a b c -> b", "max"),
        "repeat": lambda o: einops.repeat(o.u, "a -> a b", b=3),
        "einsum": lambda o: einops.einsum(o.A, o.A, "i j, k j -> i k"),
        "pack": lambda o: einops.pack([o.S, o.S], "* a b")[0],
        "contract": lambda o: opt_einsum.contract("ij,jk,k->i", o.A, o.S, o.v),
        "contract sums": lambda o: opt_einsum.contract("abc->b", o.T),
    }
except ImportError:
    pass
