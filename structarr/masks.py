"""Batches of masks as runs, as those of the COCO data sets are coded."""

from structarr._api.masks.coded import from_rle as from_rle, to_rle as to_rle
from structarr._api.masks.measures import area as area, bbox as bbox, iou as iou
from structarr._api.masks.merging import merge as merge
