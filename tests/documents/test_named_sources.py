"""Files, folders, functions and methods that documents for contributors name: all are there."""

import ast
import re
from functools import cache

import pytest
from documented import ROOT

import structarr as sa
from structarr._support import syntax_trees

DOCUMENTS = ("CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md")
DECISIONS = tuple(
    path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("docs/decisions/*.md"))
)
HOMES = (ROOT, ROOT / "structarr", ROOT / "structarr" / "_compiler")

_FENCED = re.compile(r"^```.*?^```$", flags=re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"[\w.*-]+(?:/[\w.*-]+)*/?")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+(?:\(\))?")
_SUFFIXES = (".py", ".md", ".toml", ".txt", "/")
_PUBLIC = ("np", "sa", "structarr")


def paths(text: str) -> set[str]:
    """What a document names as files and folders."""
    spans = _CODE.findall(_FENCED.sub("", text))
    found = {span for span in spans if _PATH.fullmatch(span) and span.endswith(_SUFFIXES)}
    for block in _FENCED.findall(text):
        found |= set(re.findall(r"[\w./-]+\.py\b", block))
    return found


def names(text: str) -> set[str]:
    """The functions of modules and methods of classes that a document names."""
    spans = {span.removesuffix("()") for span in _CODE.findall(_FENCED.sub("", text))}
    dotted = {span for span in spans if _NAME.fullmatch(span)} - paths(text)
    return {name for name in dotted if name.split(".")[0] not in _PUBLIC}


@cache
def defined() -> frozenset[str]:
    """Every `module.name` and `Class.name` of the package."""
    found: set[str] = set()
    for path in ROOT.glob("structarr/**/*.py"):
        module = path.parent.name if path.stem == "__init__" else path.stem
        tree = syntax_trees.module(path.read_text(encoding="utf-8"))
        found |= {f"{module}.{name}" for name in _bound(tree)}
        for part in ast.walk(tree):
            if isinstance(part, ast.ClassDef):
                found |= {f"{part.name}.{name}" for name in _bound(part)}
    found |= {f"Array.{name}" for name in dir(sa.Array)}  # whose methods are in several classes
    return frozenset(found)


def _bound(tree: ast.Module | ast.ClassDef) -> set[str]:
    """The names that the statements of a module or a class bind."""
    found: set[str] = set()
    for one in tree.body:
        match one:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.Assign(targets=targets):
                found |= {part.id for one in targets for part in ast.walk(one) if _is_name(part)}
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                found |= {alias.asname or alias.name for alias in aliases}
    return found


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


@pytest.mark.parametrize("document", [*DOCUMENTS, *DECISIONS])
def test_files_and_folders_that_are_named_exist(document):
    named = paths((ROOT / document).read_text(encoding="utf-8"))
    assert [one for one in sorted(named) if not any(any(home.glob(one)) for home in HOMES)] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_functions_and_methods_that_are_named_exist(document):
    named = names((ROOT / document).read_text(encoding="utf-8"))
    assert sorted(named - defined()) == []


def test_names_that_do_not_exist_are_found():
    text = "Read `_scheduler/gone.py` and `pipeline.gone`, then `docs/index.md` and `np.sum`."
    assert paths(text) == {"_scheduler/gone.py", "docs/index.md"}
    assert names(text) == {"pipeline.gone"}
    assert "pipeline.gone" not in defined()
    assert "pipeline.programs" in defined()
