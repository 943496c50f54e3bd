"""Texts whose loops take turns, so that a call of one can be stopped.

Kernels that are made of lines are printed so. What is a text from the start has an iterator added
as the first parameter of each of its functions, which each turn of each loop advances.
"""

from __future__ import annotations

import ast

from structarr._support.syntax_trees import module


def turned(text: str) -> ast.Module:
    """
    Return the tree of some functions whose loops take turns.

    Examples
    --------
    >>> print(ast.unparse(turned("def f(n):\\n    for i in range(n):\\n        g(i)")))
    def f(turns, n):
        for i, turn in zip(range(n), turns):
            g(i)
    """
    tree = module(text)
    own = {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
    names = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
    names |= {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
    _Turned(own, _unused("turns", names), _unused("turn", names)).visit(tree)
    return ast.fix_missing_locations(tree)


def _unused(name: str, names: set[str]) -> str:
    while name in names:
        name += "_"
    return name


class _Turned(ast.NodeTransformer):
    """Gives functions, and calls of these, the iterator; loops advance it."""

    def __init__(self, own: set[str], turns: str, turn: str) -> None:
        self._own, self._turns, self._turn = own, turns, turn

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.args.args.insert(0, ast.arg(self._turns))
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self._own:
            node.args.insert(0, self._iterator())
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        turn = ast.Name(self._turn, ast.Store())
        node.target = ast.Tuple([node.target, turn], ast.Store())
        node.iter = ast.Call(ast.Name("zip", ast.Load()), [node.iter, self._iterator()], [])
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        self.generic_visit(node)
        taken = ast.Call(ast.Name("next", ast.Load()), [self._iterator()], [])
        node.body.insert(0, ast.Expr(taken))
        return node

    def _iterator(self) -> ast.Name:
        return ast.Name(self._turns, ast.Load())
