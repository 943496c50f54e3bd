"""Execution: what looking at a value starts, calls of kernels, threads, pools of memory."""
