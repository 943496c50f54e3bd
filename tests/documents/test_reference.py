"""The reference of the site: each public name is on one of its pages."""

import re

import pytest
from documented import PAGES, public_names

ROOMS = {
    page: re.findall(r"^structarr\S*$", text, flags=re.MULTILINE)
    for page, text in PAGES.items()
    if "```{members}" in text
}


@pytest.fixture(scope="module")
def public():
    return public_names()


def test_every_public_name_is_on_a_page(public):
    listed = {name for rooms in ROOMS.values() for room in rooms for name in public.names_of(room)}
    of_modules = {name for module in public.MODULES for name in public.names_of(module)}
    assert sorted({*public.names_of_package(), *of_modules} - listed) == []


def test_every_room_of_a_page_has_names(public):
    rooms = [room for rooms in ROOMS.values() for room in rooms]
    assert [room for room in rooms if not public.names_of(room)] == []
    assert len(set(rooms)) == len(rooms)


def test_classes_are_explained_under_one_name(public):
    assert public.explained_as("structarr.targets.Buffer") == "structarr.cin.Buffer"
    assert public.explained_as("structarr.sum") == "structarr.sum"
