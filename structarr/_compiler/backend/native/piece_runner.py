"""The function that runs pieces of a call, one after the other, without Python between them.

Pieces are dealt in shares, each a range of numbers. A thread takes those of a share that is its own
from the first on, then those of the next shares. Importing this module imports llvmlite.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256

from structarr._compiler.backend.llvm.layout import DATA
from structarr._compiler.backend.native import emit, engine, store

TEXT = """
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare ptr @PyLong_FromLongLong(i64)

define internal ptr @data(ptr %args, i64 %which) {
  %at = getelementptr ptr, ptr %args, i64 %which
  %array = load ptr, ptr %at
  %field = getelementptr i8, ptr %array, i64 DATA
  %data = load ptr, ptr %field
  ret ptr %data
}

define internal i64 @word(ptr %words, i64 %which) {
  %at = getelementptr i64, ptr %words, i64 %which
  %word = load i64, ptr %at
  ret i64 %word
}

define ptr @NAME(ptr %self, ptr %args, i64 %count) nounwind {
entry:
  %head = call ptr @data(ptr %args, i64 0)
  %shares = call ptr @data(ptr %args, i64 1)
  %numbers = call ptr @data(ptr %args, i64 2)
  %number = call i64 @word(ptr %head, i64 0)
  %own = call i64 @word(ptr %head, i64 1)
  %most = call i64 @word(ptr %head, i64 2)
  %steps = call i64 @word(ptr %head, i64 3)
  %values = call i64 @word(ptr %head, i64 4)
  %widest = call i64 @word(ptr %head, i64 5)
  %arrays = sub i64 %count, 3
  %all = add i64 %arrays, %values
  %all.words = mul i64 %all, 2
  %bases = alloca i64, i64 %all.words
  %widest.words = mul i64 %widest, 2
  %given = alloca i64, i64 %widest.words
  %written = alloca [8 x i64]
  br label %array

array:
  %a = phi i64 [ 0, %entry ], [ %a.next, %array.base ]
  %a.more = icmp ult i64 %a, %arrays
  br i1 %a.more, label %array.base, label %value

array.base:
  %a.which = add i64 %a, 3
  %a.data = call ptr @data(ptr %args, i64 %a.which)
  %a.word = ptrtoint ptr %a.data to i64
  %a.twice = mul i64 %a, 2
  %a.base = getelementptr i64, ptr %bases, i64 %a.twice
  store i64 %a.word, ptr %a.base
  %a.behind = getelementptr i64, ptr %a.base, i64 1
  store i64 0, ptr %a.behind
  %a.next = add i64 %a, 1
  br label %array

value:
  %v = phi i64 [ 0, %array ], [ %v.next, %value.base ]
  %v.end = mul i64 %values, 2
  %v.more = icmp ult i64 %v, %v.end
  br i1 %v.more, label %value.base, label %begin

value.base:
  %v.word = call i64 @word(ptr %numbers, i64 %v)
  %v.first = mul i64 %arrays, 2
  %v.place = add i64 %v.first, %v
  %v.base = getelementptr i64, ptr %bases, i64 %v.place
  store i64 %v.word, ptr %v.base
  %v.next = add i64 %v, 1
  br label %value

begin:
  %thread = call ptr @PyEval_SaveThread()
  br label %share

share:
  %s = phi i64 [ 0, %begin ], [ %s.next, %next ]
  %before = phi i64 [ 0, %begin ], [ %done, %next ]
  %through = icmp uge i64 %s, %number
  br i1 %through, label %end, label %open

open:
  %from = add i64 %own, %s
  %which = urem i64 %from, %number
  %place = mul i64 %which, 8
  %first = getelementptr i64, ptr %shares, i64 %place
  %last = getelementptr i64, ptr %first, i64 1
  br label %ask

ask:
  %done = phi i64 [ %before, %open ], [ %done.next, %made ]
  %full = icmp uge i64 %done, %most
  br i1 %full, label %end, label %take

take:
  %piece = atomicrmw add ptr %first, i64 1 monotonic
  %beyond = load atomic i64, ptr %last monotonic, align 8
  %none = icmp sge i64 %piece, %beyond
  br i1 %none, label %next, label %step

next:
  %s.next = add i64 %s, 1
  br label %share

step:
  %t = phi i64 [ 0, %take ], [ %t.next, %stepped ]
  %t.at = mul i64 %t, 3
  %t.first = add i64 %t.at, 6
  %t.second = add i64 %t.at, 7
  %t.third = add i64 %t.at, 8
  %function.word = call i64 @word(ptr %head, i64 %t.first)
  %function = inttoptr i64 %function.word to ptr
  %table.word = call i64 @word(ptr %head, i64 %t.second)
  %table = inttoptr i64 %table.word to ptr
  %width = call i64 @word(ptr %head, i64 %t.third)
  %row.width = mul i64 %width, 3
  %row.at = mul i64 %piece, %row.width
  %row = getelementptr i64, ptr %table, i64 %row.at
  br label %arg

arg:
  %k = phi i64 [ 0, %step ], [ %k.next, %arg.words ]
  %k.more = icmp ult i64 %k, %width
  br i1 %k.more, label %arg.words, label %call

arg.words:
  %k.at = mul i64 %k, 3
  %k.second = add i64 %k.at, 1
  %k.third = add i64 %k.at, 2
  %base = call i64 @word(ptr %row, i64 %k.at)
  %base.first = mul i64 %base, 2
  %base.second = add i64 %base.first, 1
  %word.first = call i64 @word(ptr %bases, i64 %base.first)
  %word.second = call i64 @word(ptr %bases, i64 %base.second)
  %delta.first = call i64 @word(ptr %row, i64 %k.second)
  %delta.second = call i64 @word(ptr %row, i64 %k.third)
  %sum.first = add i64 %word.first, %delta.first
  %sum.second = add i64 %word.second, %delta.second
  %k.twice = mul i64 %k, 2
  %given.first = getelementptr i64, ptr %given, i64 %k.twice
  store i64 %sum.first, ptr %given.first
  %given.second = getelementptr i64, ptr %given.first, i64 1
  store i64 %sum.second, ptr %given.second
  %k.next = add i64 %k, 1
  br label %arg

call:
  %failed = call i1 %function(ptr %given, ptr %written)
  br i1 %failed, label %broken, label %stepped

stepped:
  %t.next = add i64 %t, 1
  %more = icmp ult i64 %t.next, %steps
  br i1 %more, label %step, label %made

made:
  %done.next = add i64 %done, 1
  br label %ask

end:
  %total = phi i64 [ %before, %share ], [ %done, %ask ]
  call void @PyEval_RestoreThread(ptr %thread)
  %found = call ptr @PyLong_FromLongLong(i64 %total)
  ret ptr %found

broken:
  call void @PyEval_RestoreThread(ptr %thread)
  ret ptr null
}
""".replace("DATA", str(DATA))


@cache
def runner() -> Callable[..., int]:
    """
    The function that runs pieces, which returns how many.

    It takes arrays. The first are of words:

    - the head: how many shares there are, the number of the thread's own, how many pieces to run
      at most, the steps that each piece has, the count of numbers, the most arguments of a step;
      and of each step the address of its function (`llvm.piece_entry`), that of its table and the
      count of its arguments;
    - the shares, of eight words: the first is the next piece, the second that beyond the last;
    - the numbers, two words each.

    The others and the numbers are bases. Tables have three words for each argument of each piece: a
    base, and what is added to its two words, of which the second is zero if it is an array.
    """
    name = "r_" + sha256(TEXT.encode()).hexdigest()[:32]
    found = store.find(name)
    made = None if found is None else found.load()
    if made is not None:
        return made
    code = emit.object_file(TEXT.replace("NAME", store.symbol(name)))
    assert code is not None  # kernels are made by the same LLVM
    symbols = ["PyEval_SaveThread", "PyEval_RestoreThread", "PyLong_FromLongLong"]
    kept = store.Stored(name, symbols, False, [*engine.processor()], code)
    made = kept.load()
    assert made is not None
    store.keep(kept)
    return made
