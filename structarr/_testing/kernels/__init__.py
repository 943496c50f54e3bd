"""The kernels of a fixed corpus, written down and compared with those of another commit."""
