"""Tensors, and what is done with them without a kernel: conversion, statistics, display."""
