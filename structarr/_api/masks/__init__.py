"""Masks in the run-length code of the COCO data sets."""
