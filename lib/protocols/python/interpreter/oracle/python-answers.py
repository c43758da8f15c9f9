"""Writes python-answers.json: what Python 3.11 prints for the expressions and programs of the tests.

    python3 python-answers.py > python-answers.json
"""
import contextlib
import io
import json

EXPRESSIONS = r"""
1 + 2
7 / 2
7 // 2
-7 // 2
7 // -2
-7 % 3
7 % -3
7.5 // 2
-7.5 // 2
1.0 // 0.1
-7.5 % 2
7.5 % -2
hex(20), hex(-255), oct(20), oct(-8), bin(5), bin(-2), hex(True)
hex(1.5)
bin("x")
pow(2, 10), pow(2, -1), pow(2.5, 2), pow(-2, 3)
pow(3, 200, 13), pow(-3, 5, 7), pow(3, 0, 7), pow(5, 3, -7)
pow(3, 4, 0)
divmod(7, 2), divmod(-7, 2), divmod(7.5, -2)
divmod(1, 0)
chr(65), chr(0x1f600), ord("A"), ord("\u00e9")
chr(-1)
chr("A")
ord("ab")
ord(3)
5 % float("inf")
-5 % float("inf")
2 ** 10
2 ** 0.5
2 ** -1
(-2) ** 3
-2 ** 2
0 ** 0
0.0 ** 0
(-1) ** float("inf")
10 ** 20
10 ** 40 / 10 ** 39
(2 ** 200 + 1) / (2 ** 199)
2 ** 1000 / 2 ** 990
1 / 3
0.1 + 0.2
1e16
1e15
123456789012345678.0
1e-5
0.0001
1e22
5e-324
-0.0
0.0 * -1
float("inf")
-float("inf")
float("nan")
float("nan") == float("nan")
1e308 * 10
3 == 3.0
True + True
True & False
True | 2
True ^ True
~5
~True
-True
not 0
not ""
5 & 3
5 | 3
5 ^ 3
-5 >> 1
1 << 10
-5 & 0xff
0x1F + 0o17 + 0b11
1_000_000
1 < 2 < 3
1 < 3 < 2
1 == 1 == 2
3 > 2 == True
"a" < "b"
"abc" < "abd"
"Z" < "a"
[1, 2] < [1, 3]
[1, 2] < [1, 2, 0]
(1, "a") < (1, "b")
[1, [2, 3]] == [1, [2, 3]]
[1] == (1,)
{"a": 1} == {"a": 1.0}
None == False
1 is not None
"b" in "abc"
4 in [1, 2]
3 in range(0, 10, 3)
4 not in range(0, 10, 3)
2.0 in range(5)
"k" in {"k": 1}
1 and 0
0 or "x"
"" or []
1 and 2 and 3
1 if [] else 2
"a" "b" 'c'
"a" + "b"
"ab" * 3
3 * "ab"
"ab" * -1
[1, 2] + [3]
[0] * 4
(1, 2) * 2
(1,)
()
[]
{}
[1, 2.5, "a", None, True]
{"a": [1], 2: (3,)}
{1: "a", 1.0: "b", True: "c"}
"it's"
["it's", 'say "x"', "both ' and \"", "tab\t", "\x01", "\u00e9", "back\\slash"]
r"a\n"
b"ab"
"abc"[0]
"abc"[-1]
"abc"[1:]
"abcdef"[::-1]
"abcdef"[1:5:2]
"abcdef"[4:1:-1]
[1, 2, 3, 4][1:3]
[1, 2, 3][:]
[1, 2, 3][10:]
[1, 2, 3][-2:]
(1, 2, 3)[::2]
range(10)[2]
range(10)[2:8:3]
range(5)
range(1, 10, 2)
list(range(5, 0, -2))
[[1, 2], [3, 4]][1][0]
{"a": {"b": 5}}["a"]["b"]
"\u00e9t\u00e9"[1]
len("\U0001F600x")
len([1, 2, 3])
len({"a": 1})
len(range(10))
str(1.0)
str(None)
str([1, "a"])
repr("a")
int("42")
int("ff", 16), int("0xFF", 16), int("0b101", 0), int("-0o17", 8), int("z", 36), int("1_0", 2), int(" 12 ", 0)
int("12", 2)
int("", 16)
int("0x", 16)
int(12, 16)
int("1", 1)
list(enumerate("ab", start=1)), list(enumerate("ab", 2)), list(enumerate("ab"))
enumerate("ab", begin=1)
"7".zfill(3), "-7".zfill(4), "+".zfill(2), "abc".zfill(2), "ab".ljust(4) + "|", "ab".rjust(4, "."), "aBC d".capitalize()
"a".ljust(3, "xy")
int(" -7 ")
int("1_000")
int(3.99)
int(-3.99)
int(True)
int(1e20)
float("1e3")
float(" 2.5 ")
float("-inf")
float(7)
bool("")
bool([0])
abs(-3)
abs(-2.5)
abs(-0.0)
min(3, 1, 2)
max([3, 1, 2])
max("a", "b")
min((2.5, 2))
sum([1, 2, 3])
sum([0.1] * 3)
round(2.5)
round(3.5)
round(-2.5)
round(2.675, 2)
round(0.125, 2)
round(1234.5678, -2)
round(1250, -2)
round(1350, -2)
round(1e300, 2)
round(5)
round(7, 2)
list("abc")
list({"a": 1, "b": 2})
tuple([1, 2])
f"{3}"
f"{3.14159:.2f}"
f"{0.125:.2f}"
f"{2.5:.0f}"
f"{1e22:f}"
f"{42:5d}|{42:<5d}|{42:^5d}|{42:>5d}"
f"{42:05d}"
f"{-42:05d}"
f"{42:+d} {-42:+d} {42: d}"
f"{255:x} {255:X} {255:#x} {255:b} {255:o} {255:#b}"
f"{1234567:,}"
f"{1234567.891:,.2f}"
f"{1234567:_}"
f"{255:_b}"
f"{1234:010,}"
f"{0.5:%} {0.1234:.1%}"
f"{12345.678:e} {12345.678:.2E}"
f"{12345.678:g} {1e-10:g} {1e20:g} {100000:g} {1000000:g}"
f"{12345.678:.3g}"
f"{1.0:g} {1.0:#g}"
f"{1.5:10}|{1.5:<10}|"
f"{123.456:.4} {1e10:.4} {100.0:.3}"
f"{float('nan'):5} {float('inf'):.2f} {float('-inf'):06}"
f"{'abc':5}|{'abc':>5}|{'abc':^5}|{'abc':.2}|{'abc':*^7}"
f"{'a'!r} {'a'!s} {'é'!a}"
f"{1 + 1} {{x}} {[1, 2]}"
f"{True:d} {True}"
f"{65:c}"
1 / 0
1 // 0
1 % 0
1.0 / 0
1.0 // 0
1.0 % 0
0 ** -1
1 + "a"
"a" + 1
[1] + (1,)
"a" * 2.0
1 << -1
1.5 & 1
-"a"
~1.5
1 < "a"
[1] < (1,)
1 in 5
1 in "a"
[1, 2][5]
"abc"[3]
(1,)[1]
[1]["a"]
"abc"["a"]
{"a": 1}["b"]
{[1]: 2}
{}[[1]]
5[0]
None.x
len(5)
len()
int("x")
int("")
float("abc")
int(float("nan"))
int(float("inf"))
int([])
float(None)
abs("a")
min([])
sum(["a"])
range(1.5)
range(1, 2, 0)
round("a")
undefined_thing_q
f"{1:q}"
f"{'a':d}"
f"{1.5:d}"
f"{1:.2d}"
f"{[1]:5}"
[1, 2][::0]
2.0 ** 10000
10 ** 400 * 1.0
[x * 2 for x in [1, 2, 3]]
[x for x in range(10) if x % 2 if x > 3]
[(x, y) for x in [1, 2] for y in "ab"]
[a + b for a, b in [(1, 2), (3, 4)]]
[[y for y in range(x)] for x in range(3)]
[x for x in 5]
[a for a, b in [(1, 2, 3)]]
sum(x * x for x in range(4))
", ".join(str(x) for x in [1, 2])
any(x > 2 for x in [1, 2, 3]), all([]), any([]), all([1, 0])
sorted([3, 1, 2]), sorted([3, 1, 2], reverse=True), sorted("hello")
sorted(["bb", "a", "ccc"], key=len)
sorted([(1, "b"), (0, "a"), (1, "a")])
sorted([1, "a"])
sorted([1, 2], wrong=3)
list(enumerate("ab", 3))
list(zip([1, 2, 3], "ab")), list(zip())
list(reversed([1, 2, 3]))
list(map(str, [1, 2]))
[1, 2, 1].count(1), [1, 2].index(2), (1, 2).index(2), (1, 1).count(1)
[].pop()
[1, 2].pop(5)
[1].remove(2)
"a-b-c".split("-"), " a  b ".split(), "".split(), "".split(","), "a,b,c".split(",", 1), " a b  c d ".split(None, 2)
"abc".split("")
"  x ".strip() + "|", "xxabx".strip("x"), "  a ".lstrip() + "|", " a  ".rstrip() + "|"
"aXb".upper(), "aXb".lower(), "straße".upper()
"a.b.a".replace("a", "xy"), "aaa".replace("a", "b", 2), "abc".replace("", "-")
"abc".startswith("ab"), "abc".endswith("bc"), "abc".startswith(("x", "a")), "abc".endswith(())
"abcabc".find("c"), "abc".find("x"), "abcabc".count("bc"), "aaa".count("aa"), "abc".count("")
"abc".index("x")
"12".isdigit(), "1.2".isdigit(), "".isdigit()
"a\nb\n".splitlines(), "a\r\nb".splitlines()
"-".join(["a", "b"]), "".join([]), ",".join("abc")
",".join([1])
",".join(["a", None])
"{} {}".format(1, "a"), "{1}{0}".format(1, 2), "{x:>5}|{y!r}".format(x="a", y="b"), "{{}}".format()
"{:.3f} {:05d} {:,}".format(3.14159, 42, 1234567)
"{}".format()
"{x}".format(1)
"{".format(1)
"}".format(1)
"{0}{}".format(1)
"%d %s %5.2f|%-5s|%05d|%x|%X|%o|%e|%g|%%" % (42, "a", 3.14159, "ab", 7, 255, 255, 8, 12345.678, 0.0001)
"%s" % 5, "%r" % "a", "%s" % [1, 2], "%s" % (1,), "%c%c" % (65, "b"), "%+d % d" % (1, 2)
"%(a)s-%(b)d" % {"a": 1, "b": 2}
"%5s|%-5s|%.2s|%5.1s" % ("a", "b", "cde", "fgh")
"%#x %#o" % (255, 8)
"%i" % 3.7, "%d" % True, "%.0f" % 2.5, "%.3g" % 1234567.0
"%d" % "a"
"%f" % "a"
"%x" % 1.5
"%d %d" % 1
"%d" % (1, 2)
"%y" % 1
"%" % 1
"%s %s" % ("a",)
"abc" % 1
"%(a)s" % 1
"%s" % {"a": 1}
{"a": 1, "b": 2}.get("a"), {"a": 1}.get("z"), {"a": 1}.get("z", 5), list({"a": 1}.items()), list({"a": 1}.keys()), list({"a": 1}.values())
{}.pop("a")
dict([("a", 1)], b=2), dict(), dict({"x": 1})
type(1), type("a"), type(1.5), type([]), type(None), type(True), type((1,)), type({})
type(1) == int, type(1) is int, type("a") == type("b"), type(1) == float
isinstance(1, int), isinstance(True, int), isinstance(1, (str, float)), isinstance(ValueError("a"), Exception)
isinstance(1, 2)
int, str, ValueError
ValueError("a"), ValueError(), ValueError(1, "b"), KeyError("k")
str(ValueError("a")), str(KeyError("k")), str(ValueError()), str(ValueError(1, 2))
""".strip().split('\n')

PROGRAMS = [
    'x = 3\nx += 4\nprint(x)',
    'x = y = 2\nprint(x, y)',
    'a, b = 1, 2\na, b = b, a\nprint(a, b)',
    'a, (b, c) = 1, (2, 3)\nprint(a, b, c)',
    'a, b = "xy"\nprint(a, b)',
    'd = {}\nd.setdefault("a", []).append(1)\nd.setdefault("a", 7)\nprint(d, d.setdefault("b"))',
    'import math\nprint(math.log(8, 2), math.log(100, 10), math.log(1), math.hypot(3, 4), math.hypot(2, 3, 6), math.hypot(), math.asinh(0))',
    'import math\nprint(math.log(8, 1))',
    'import math\nprint(math.log(8, -1))',
    'import math\nprint(math.acosh(0))',
    'import sys\nprint(1, 2, sep="-", file=sys.stdout)\nprint(3, file=None)',
    'a, b = 1, 2, 3',
    'a, b = 1,',
    'a, b = 5',
    'x = [1, 2, 3]\nx[1] = 9\nx[-1] += 1\nprint(x)',
    'x = [1]\ny = x\ny[0] = 5\nprint(x)',
    'x = [0]\nx[0] = x\nprint(x)',
    'd = {}\nd["k"] = 1\nd["k"] += 2\nprint(d, len(d))',
    'x = (1, 2)\nx[0] = 3',
    'x = "ab"\nx[0] = "c"',
    'x = [1]\nx[3] = 1',
    'for k in range(3): print(k)',
    'for k in [1, "a"]:\n  print(k)\nprint(k)',
    'for c in "ab": print(c, end="")\nprint()',
    'for k in {"a": 1}: print(k)',
    'for k in 5: pass',
    'for k in range(5):\n  if k == 1: continue\n  if k == 3: break\n  print(k)',
    'for i in range(2):\n  for j in range(2):\n    if j: break\n    print(i, j)',
    'n = 0\nwhile n < 3:\n  n += 1\nprint(n)',
    'n = 5\nwhile True:\n  n -= 1\n  if n < 2: break\nprint(n)',
    'x = 5\nif x > 5: print("a")\nelif x == 5: print("b")\nelse: print("c")',
    'def f(a, b=2): return a * b\nprint(f(3), f(3, 4), f(b=5, a=1))',
    'def f(): pass\nprint(f())',
    'def f(n):\n  if n < 2: return 1\n  return n * f(n - 1)\nprint(f(20))',
    'def f(n):\n  return n if n < 2 else f(n - 1) + f(n - 2)\nprint(f(12))',
    'x = 1\ndef f():\n  global x\n  x = 2\nf()\nprint(x)',
    'x = 1\ndef f():\n  x = 2\n  return x\nprint(f(), x)',
    'x = 1\ndef f(): return x\nx = 5\nprint(f())',
    'def f(a): pass\nf()',
    'def f(a): pass\nf(1, 2)',
    'def f(a): pass\nf(b=1)',
    'def f(a): pass\nf(1, a=2)',
    'def f(a, b): pass\nf()',
    'def f(a, b, c): pass\nf()',
    'def f(a, b, c, d): pass\nf(b=1)',
    'def f(a, b=2, c=3): pass\nf(b=1)',
    'def f(): pass\nf(1)',
    'def f(): pass\nf(1, 2)',
    'def f(a, b): pass\nf(1, 2, 3)',
    'def f(a=1): pass\nf(1, 2)',
    'def f(a, b=2): pass\nf(1, 2, 3)',
    'def f(a, b=2): pass\nf(1, 2, 3, c=4)',
    'def f(a, b=2): pass\nf(1, 2, 3, b=4)',
    'def f(a, b=None): return a, b\nprint(f(b=1, a=None), f(None), f(None, None))',
    'def f():\n  for k in range(9):\n    while True:\n      return k\nprint(f())',
    'import math\nprint(math.sqrt(2), math.pi, math.floor(-2.5), math.ceil(2.1))',
    'import math as m\nprint(m.atan2(1, 1), m.degrees(m.pi))',
    'from math import cos, pi as p\nprint(cos(0), p)',
    'import math\nmath.sqrt(-1)',
    'import math\nmath.log(0)',
    'import math\nmath.sqrt("a")',
    'import math\nprint(math.isnan(float("nan")), math.fabs(-2), math.hypot(3, 4), math.fmod(-7, 3))',
    'import sys\nsys.stdout.write("a")\nsys.stdout.write("b\\n")',
    'print("a", 1, None, sep="-", end="!\\n")',
    'print()',
    'len = None\nx = None\nprint(x, len)',
    'print(1, end="")\nprint(2, sep="")',
    'print("a"); print("b")',
    'print("before")\nundefined_thing_q\nprint("after")',
    'x = 1; y = 2\nprint(x if x > y else y)',
    'print(not 1 == 2, 1 if 0 else 3)',
    'x = 0\nprint(x and 1 / x)',
    '# nothing\n\npass\nNone\nprint("end")',
    'print(1 +\n  2)',
    'x = """a\nb"""\nprint(x)',
    'print("a\\x41\\u00e9\\101\\n\\tz")',
    'x = 5\nx **= 2\nx //= 3\nx %= 5\nx <<= 2\nx |= 1\nx ^= 4\nx &= 7\nx >>= 1\nx /= 4\nprint(x)',
    'print(len("abc"))',
    'x = {"a": 1}\nx["b"]',
    '1()',
    '"a"()',
    'x = 1\nx.y = 2',
    'try:\n  nowhere_q\nexcept NameError:\n  print("caught")',
    'try:\n  1 / 0\nexcept NameError:\n  print("no")\nexcept ZeroDivisionError as e:\n  print("yes", e)',
    'try:\n  1 / 0\nexcept ArithmeticError as e:\n  print(repr(e), e.args, type(e))\ne',
    'try:\n  [][1]\nexcept (KeyError, LookupError):\n  print("lookup")',
    'try:\n  1 / 0\nexcept:\n  print("bare")',
    'try:\n  x = 1\nexcept:\n  print("no")\nelse:\n  print("else", x)\nfinally:\n  print("finally")',
    'try:\n  1 / 0\nfinally:\n  print("finally")',
    'def f():\n  try:\n    return 1\n  finally:\n    print("f")\nprint(f())',
    'def f():\n  try:\n    return 1\n  finally:\n    return 2\nprint(f())',
    'for k in range(3):\n  try:\n    if k == 1: continue\n    if k == 2: break\n  finally:\n    print("done", k)',
    'try:\n  try:\n    1 / 0\n  except NameError:\n    pass\nexcept ZeroDivisionError:\n  print("outer")',
    'try:\n  try:\n    1 / 0\n  except ZeroDivisionError:\n    raise\nexcept Exception as e:\n  print("again", e)',
    'try:\n  raise ValueError("why")\nexcept ValueError as e:\n  print(e)\nraise ValueError("last")',
    'raise ValueError',
    'raise KeyError("k")',
    'raise 5',
    'raise',
    'try:\n  {}["k"]\nexcept KeyError as e:\n  print(e, e.args)',
    'try:\n  int("x")\nexcept ValueError as e:\n  print(e)',
    'try:\n  1 / 0\nexcept 5:\n  pass',
    'try:\n  1 / 0\nexcept ZeroDivisionError as e:\n  kept = e\nraise kept',
    'assert 1 == 1\nassert 1 == 2, "not %d" % 2',
    'assert 0',
    'x = 5\ndel x\nx',
    'x = [1, 2, 3]\ndel x[1]\nd = {"a": 1}\ndel d["a"]\nprint(x, d)',
    'del nothing_q',
    'x = [1]\nx.append(2)\nx.extend([3, 4])\nx.insert(0, 0)\nx.insert(-1, 9)\nx.insert(99, 7)\nprint(x, x.pop(), x.pop(0), x)\nx.remove(9)\nx.reverse()\nprint(x)\nx.sort()\nprint(x)\nx.sort(reverse=True)\nprint(x)\nx.clear()\nprint(x)',
    'x = [1]\ny = x\ny.append(2)\nx += (3,)\nprint(x, y, x is y)',
    'x = [1]\nx += "ab"\nprint(x)',
    'x = [1]\nx += x\nprint(x)',
    'x = [1, 2, 3, 4]\nx[1:3] = [9]\nprint(x)\nx[:] = "ab"\nprint(x)\nx[5:] = (7,)\nx[1:1] = x\nprint(x)\nx[::2] = [0, 0, 0]\nprint(x)\nx[-1:0:-2] = range(3)\nprint(x)',
    'x = [1, 2, 3, 4, 5]\ndel x[1:3]\nprint(x)\ndel x[::-2]\nprint(x)\ndel x[5:]\nprint(x)',
    'x = [1, 2, 3]\nx[::2] = [1]',
    'x = [1, 2, 3]\nx[2:1] = [8]\nprint(x)\nx[0:1:0] = [1]',
    'x = "ab"\nx[0:1] = "c"',
    'del (1, 2)[0:1]',
    'x = [1]\nx += 5',
    'x = []\na = x.append\na(1)\na(2)\nprint(x)',
    'def low(t): return t.lower()\nx = ["b", "A", "c"]\nx.sort(key=low)\nprint(x)',
    'x = [3, 1, 2]\nx.sort(key=lambda_q)',
    'for i, (a, b) in enumerate([(1, 2), (3, 4)]): print(i, a, b)',
    'for k, v in {"a": 1}.items(): print(k, v)',
    'for a, b in [1]: pass',
    'x = 5\ny = [x for x in range(3)]\nprint(x, y)',
    'def f(n):\n  return [n * k for k in range(n)]\nprint(f(3))',
    'd = {"a": 1}\nd.update({"b": 2})\nprint(d, d.pop("a"), d)',
    's = "n=%d"\ns %= 4\nprint(s)',
    'try:\n  exec_q\nexcept NameError:\n  def initialize():\n    global group\n    group = []\n  initialize()\ngroup.append("one")\nprint(group)',
    'global n\ntry:\n  if n >= 0:\n    n += 1\nexcept NameError:\n  n = 0\nprint(n)',
    'x = "abc"\nx.nothing_q()',
    '[].nothing_q',
    'def f():\n  try:\n    g()\n  except ValueError as e:\n    return str(e)\ndef g(): raise ValueError("deep")\nprint(f())',
    'import os\nprint(os.path.join("a", "b", "/c", "d"), os.path.join("a/", "b"), os.path.join("", "b"), os.path.basename("/a/b.c"), os.path.dirname("/a/b.c"))',
    'import os.path\nprint(os.path.splitext("a/b.tar.gz"), os.path.join("a", ""))',
    'import os\nos.path.join(1)',
    'import sys\nprint(sys.version[:4])',
    'import sys\nprint(sys.version_info >= (3, 0), sys.version_info < (3, 0), sys.version_info[0], sys.version_info.major)',
    'import sys\ntry:\n  sys.exit(3)\nexcept SystemExit as e:\n  print("left", e, e.args)',
    'try:\n  try:\n    raise SystemExit("why")\n  except Exception:\n    print("no")\nexcept BaseException as e:\n  print(type(e), str(e))',
    'print(hasattr("a", "upper"), hasattr([], "upper"), getattr("a", "upper")(), getattr([], "upper", 5), callable(len), callable(1))',
    'getattr([], "nope_q")',
    'hasattr([], 1)',
    'setattr([], "x", 1)',
    'class Point(object):\n  """ A point. """\n  made = 0\n  def __init__(self, x, y=2):\n    self.x, self.y = x, y\n    Point.made += 1\n  def norm(self): return self.x ** 2 + self.y ** 2\n  def moved(self, by): return Point(self.x + by, y=self.y)\n  def __str__(self): return "(%s, %s)" % (self.x, self.y)\np = Point(3)\nq = p.moved(by=1)\nprint(p, q.norm(), Point.made, q.made, str(q) + f"{q}{q!s}", "%s" % p, "{}".format(p))\np.z = [1]\np.z.append(p.x)\nprint(p.z, hasattr(q, "z"), getattr(q, "norm")(), p == q, p == p, p is p, bool(p))',
    'class Point(object):\n  """ A point. """\n  made = 0\n  def __init__(self, x, y=2):\n    self.x, self.y = x, y\n    Point.made += 1\n  def norm(self): return self.x ** 2 + self.y ** 2\n  def moved(self, by): return Point(self.x + by, y=self.y)\n  def __str__(self): return "(%s, %s)" % (self.x, self.y)\nclass Named(Point):\n  def __init__(self, name, x):\n    super().__init__(x)\n    self.name = name\n  def norm(self): return super(Named, self).norm() + 1\n  def doubled(self): return 2 * self.norm()\nn = Named("n", 4)\nprint(n, n.name, n.norm(), n.doubled(), Point.norm(n), Named.made, isinstance(n, Point), isinstance(Point(1), Named), isinstance(n, (int, object)), isinstance(3, object), type(n).__name__, n.__class__ == Named, Named == Point, n.__class__.__name__, type(n) is Named)',
    'class Point(object):\n  """ A point. """\n  made = 0\n  def __init__(self, x, y=2):\n    self.x, self.y = x, y\n    Point.made += 1\n  def norm(self): return self.x ** 2 + self.y ** 2\n  def moved(self, by): return Point(self.x + by, y=self.y)\n  def __str__(self): return "(%s, %s)" % (self.x, self.y)\nPoint()',
    'class Point(object):\n  """ A point. """\n  made = 0\n  def __init__(self, x, y=2):\n    self.x, self.y = x, y\n    Point.made += 1\n  def norm(self): return self.x ** 2 + self.y ** 2\n  def moved(self, by): return Point(self.x + by, y=self.y)\n  def __str__(self): return "(%s, %s)" % (self.x, self.y)\nPoint(1).nothing_q',
    'class Point(object):\n  """ A point. """\n  made = 0\n  def __init__(self, x, y=2):\n    self.x, self.y = x, y\n    Point.made += 1\n  def norm(self): return self.x ** 2 + self.y ** 2\n  def moved(self, by): return Point(self.x + by, y=self.y)\n  def __str__(self): return "(%s, %s)" % (self.x, self.y)\nPoint.nothing_q',
    'class Point(object):\n  """ A point. """\n  made = 0\n  def __init__(self, x, y=2):\n    self.x, self.y = x, y\n    Point.made += 1\n  def norm(self): return self.x ** 2 + self.y ** 2\n  def moved(self, by): return Point(self.x + by, y=self.y)\n  def __str__(self): return "(%s, %s)" % (self.x, self.y)\nPoint(1, 2, 3)',
    'class A: pass\nA(1)',
    'class A: pass\na = A()\na.f = 5\nA.g = 6\nprint(a.f, a.g)\nA.g += 1\na.g += 1\nprint(a.g, A.g)\ndel a',
    'class A:\n  def f(self): return self\n  def set(self, n):\n    self.n = n\n    return self\na = A()\ng = a.f\nh = A.f.__get__(a)\nprint(g() is a, h() is a, A.f(a) is a, a.set(1).set(2).n)',
    'class A:\n  k = 2\n  both = [k * 3]\n  for j in range(3): last = j\n  def f(): return 1\n  r = f()\nprint(A.both, A.last, A.j, A.r, A().r)',
    'k = 1\nclass A:\n  k = 2\n  def f(self): return k\nprint(A().f(), k)',
    'def make(n):\n  class Local:\n    size = n\n  return Local\nprint(make(3).size, make(4)().size, make(1) == make(1))',
    'class A:\n  def f(self):\n    raise ValueError("in f")\ntry:\n  A().f()\nexcept ValueError as e:\n  print(e)\nclass B(A): pass\nB().f()',
    'class A:\n  def __init__(self): self.items = []\n  def add(self, item):\n    self.items.append(item)\n    if len(self.items) < 3: self.add(item + 1)\na, b = A(), A()\na.add(1)\nprint(a.items, b.items)',
    'class A:\n  x = y_q\n',
    'class A:\n  def __init__(self): self.a = 1\nclass B(A):\n  def __init__(self):\n    A.__init__(self)\n    super(B, self).__init__()\n    self.b = 2\nclass C(B):\n  pass\nc = C()\nprint(c.a, c.b, isinstance(c, A))\nclass D:\n  def __init__(self): super().__init__()\nprint(isinstance(D(), object))',
    'import datetime\nd = datetime.datetime(2024, 2, 28, 23, 59, second=59, microsecond=5)\nt = datetime.timedelta(days=1, hours=2, seconds=1.5)\nprint(d, d + t, t + d, d - t, d - datetime.datetime(2024, 1, 1), t, str(-1 * t), t.total_seconds(), (d + t).isoformat(), d.isoformat(" "))\nprint(d.year, d.month, d.day, d.hour, d.minute, d.second, d.microsecond, d.weekday(), t.days, t.seconds, t.microseconds)\nprint(d < d + t, d == d + t - t, d != 5, t > t / 2, t / 2, t / t, t // (t / 2), t * 2, 2 * t, t * 0.5, t + t, t - t, isinstance(d, datetime.datetime), isinstance(t, datetime.datetime), type(t) is datetime.timedelta, max(d, d + t))',
    'from datetime import datetime, timedelta\nd = datetime(2000, 12, 31)\nprint(d, d.strftime("%Y-%m-%dT%H:%M:%S.%f %y %b %B %a %A %j %I %p 100%%"), datetime(1, 1, 1), datetime(9999, 12, 31, 13, 5).strftime("%I:%M %p %d/%m/%Y"), datetime(2024, 12, 31).strftime("%j"))\nprint(timedelta(weeks=1, milliseconds=1, minutes=-1), timedelta(microseconds=1), timedelta(-1), timedelta(), timedelta(0.5), "%s" % timedelta(hours=30), f"{d}")',
    'from datetime import datetime\ndatetime(2023, 2, 29)',
    'from datetime import datetime\ndatetime(0, 1, 1)',
    'from datetime import datetime\ndatetime(2000, 13, 1)',
    'from datetime import datetime\ndatetime(2000, 1, 1, 24)',
    'from datetime import datetime\ndatetime(2000, 1, 1.5)',
    'from datetime import datetime, timedelta\ndatetime(9999, 12, 31) + timedelta(days=1)',
    'from datetime import timedelta\ntimedelta(days=1000000000)',
    'from datetime import timedelta\ntimedelta(1) / 0',
    'from datetime import timedelta\ntimedelta("x")',
    'from datetime import datetime, timedelta\ntimedelta(1) - datetime(2000, 1, 1)',
    'from datetime import datetime, timedelta\nprint(timedelta(1) < 5)',
    'from datetime import datetime\nd = datetime.now()\nprint((datetime.now() - d).total_seconds() < 5, d.year > 2000, type(d.timestamp()) is float, datetime.fromnothing_q)',
]


def answer(program):
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(program, '<string>', 'exec'), {})
    except Exception as error:
        out.write(f'{type(error).__name__}: {error}')
    return out.getvalue()


table = [[text, answer(f'print({text})')] for text in EXPRESSIONS] + [[text, answer(text)] for text in PROGRAMS]
rows = ',\n'.join(json.dumps(row, ensure_ascii=True) for row in table)
print(f'[\n{rows}\n]')
