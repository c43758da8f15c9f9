// What NASA's suite for its input processor expects of variables of every type, on a simulation with the members of its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from '../lib/run/headless/index.js';
import everything from './fixture/everything.js';

const INTEGERS: Readonly<Record<string, string>> = {
  s: 'short',
  us: 'unsigned short',
  i: 'int',
  ui: 'unsigned int',
  l: 'long',
  ul: 'unsigned long',
  ll: 'long long',
  ull: 'unsigned long long',
  uc: 'unsigned char',
};

/** The same statements for a number of each type, with its arrays and pointers; `kg` stands behind what has units. */
const numbers = (x: string, declared: string, kg = ''): string => {
  const shown = (text: string): string => text.replace(/\d+(?:\.\d+)?/g, (digits) => digits + kg);
  const list = (text: string): string => JSON.stringify(shown(text));
  return `
    o.${x} = 95
    o.${x} += 1
    o.${x} = 1 + o.${x} + 1
    o.${x} == 98
    o.${x}a = [7, 8, 9]
    o.${x}a[1] == 8
    o.${x}p = trick.alloc_type(3, "${declared}")
    str(o.${x}p) == ${list('[0, 0, 0]')}
    o.${x}p = [11, 12, 13, 14]
    o.${x}p[-1] == 14
    o.${x}p[1.0] == 12
    o.${x}p[-2.0] = 15
    o.${x}p[0] = 16
    str(o.${x}p) == ${list('[16, 12, 15, 14]')}
    o.${x}p = None
    str(o.${x}p) == "NULL"
    o.${x}aa = ((1, 2, 3), [4, 5, 6])
    o.${x}aa[1] = [7, 8, 9]
    o.${x}aa[0][2] = 10
    str(o.${x}aa) == ${list('[[1, 2, 10],[7, 8, 9]]')}
    str(o.${x}ap) == ${JSON.stringify(
      `[${Array(x === 'i' ? 8 : 4)
        .fill('NULL')
        .join(', ')}]`,
    )}
    o.${x}ap[1] = trick.TMM_declare_var_1d("${declared}", 2)
    o.${x}ap[3] = [20, 21, 22]
    o.${x}ap[3][1] = 23
    str(o.${x}ap[1]) == ${list('[0, 0]')}
    str(o.${x}ap[3]) == ${list('[20, 23, 22]')}
    o.${x}pp = trick.TMM_declare_var_s("${declared} *[3]")
    str(o.${x}pp) == "[NULL, NULL, NULL]"
    o.${x}pp[0] = trick.alloc_type(2, "${declared}")
    o.${x}pp[2] = [30, 31]
    o.${x}pp[0][1] = 32
    str(o.${x}pp) == ${JSON.stringify(`[${shown('[0, 32]')}, NULL, ${shown('[30, 31]')}]`)}
    o.${x}pp = None
    str(o.${x}pp) == "NULL"
    o.${x}aaa = [[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], [[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]]]
    o.${x}aaa[1] = [[21, 22, 23, 24], [25, 26, 27, 28], [29, 30, 31, 32]]
    o.${x}aaa[1][0] = [41, 42, 43, 44]
    o.${x}aaa[1][0][2] = 99
    str(o.${x}aaa[1]) == ${list('[[41, 42, 99, 44],[25, 26, 27, 28],[29, 30, 31, 32]]')}
    str(o.${x}aaa[0][1]) == ${list('[5, 6, 7, 8]')}
    o.${x}ppp = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    o.${x}ppp[1] = [[9, 10], [11, 12]]
    o.${x}ppp[1][0] = [13, 14]
    o.${x}ppp[1][0][1] = 15
    str(o.${x}ppp) == ${list('[[[1, 2], [3, 4]], [[13, 15], [11, 12]]]')}
    o.${x}ppp = None
    str(o.${x}ppp) == "NULL"`;
};

/** A line with ` == ` is an expectation; `raises` stands before what must fail. */
const FAMILIES: Readonly<Record<string, string>> = {
  'numbers with units': `${numbers('d', 'double', ' kg')}
    o.fa = [30.1, 31, 32]
    str(o.fa) == "[30.1 kg, 31 kg, 32 kg]"
    o.faa[1] = [50.1, 60, 52.3]
    str(o.faa[1]) == "[50.099998 kg, 60 kg, 52.299999 kg]"
    o.fppp = [[[1.5], None]]
    str(o.fppp) == "[[[1.5], NULL]]"`,
  'integers that hold fractions without them': `
    o.ia = [1.9, 2.1, -3.9]
    str(o.ia) == "[1, 2, -3]"
    o.lla = [1, -9223372036854775808, 9223372036854775807]
    str(o.lla[1:3]) == "[-9223372036854775808, 9223372036854775807]"
    o.ulla[0] = 18446744073709551615
    o.ulla[0] == 18446744073709551615`,
  'units that are converted': `
    o.d = trick.attach_units("lb", 2)
    round(o.d, 6) == 0.907185
    o.da = trick.attach_units("lb", [1, 2, 3])
    round(o.da[2], 6) == 1.360777
    o.daa = trick.attach_units("lb", ((1, 2, 3), [4, 5, 6]))
    round(o.daa[1][2], 6) == 2.721554
    o.dpp = [None, None]
    o.dpp[1] = trick.attach_units("lb", [10, 20])
    round(o.dpp[1][1], 6) == 9.071847
    o.dkg = 3
    round(trick.attach_units("lb", o.dkg), 4) == 6.6139
    str(trick.attach_units("m", trick.attach_units("in", 6))) == "0.1524 m"
    o.f_rad = trick.attach_units("degree", 90)
    round(o.f_rad, 4) == 1.5708
    o.d_deg = trick.attach_units("rad", 3.141592653589793)
    round(o.d_deg, 9) == 180
    str([o.dkg, o.ds]) == "[3 kg, 0 s]"
    raises o.d = trick.attach_units("s", 2)
    raises o.da[2] = trick.attach_units("s", 2)
    raises o.dno_units = trick.attach_units("in", 60.6)
    raises o.ia = trick.attach_units("in", [60, 70])
    raises o.ip = trick.attach_units("in", [60, 70])
    raises o.dkg + o.ds
    o.dno_units = trick.attach_units("--", 60.6)
    o.dno_units == 60.6`,
  'operators on numbers with units': `
    o.ilbm = 50
    o.ikg = o.ilbm
    o.ikg == 22
    o.ikg = o.ilbm + 20.9
    o.ikg == 32
    o.ikg = 50
    o.ikg = o.ilbm + o.ikg
    o.ikg == 72
    o.ikg = 120 - o.ilbm
    o.ikg == 31
    o.ikg = o.ilbm / 2.9
    o.ikg == 7
    o.ikg = 29
    str(o.ikg % 4) == "1 kg"
    str(o.ikg // 4) == "7 kg"
    str(o.ikg << 1) == "58 kg"
    o.ikg & 5 == 5
    7 ^ o.ikg == 26
    o.ikg | 2 == 31
    ~o.ikg == -30
    abs(-o.ikg) == 29
    hex(o.ikg), oct(o.ikg) == "0x1d", "0o35"
    int(o.ikg), float(o.ikg) == 29, 29.0
    o.ikg *= 2
    o.ikg == 58
    o.ilbm = 10
    o.ikg = 10
    o.ikg > o.ilbm == True
    o.ikg <= o.ilbm == False
    o.dlbm = 50
    o.dkg = 120.9 - o.dlbm
    round(o.dkg, 4) == 32.1597
    o.dkg = 29
    o.dkg %= 4.5
    o.dkg == 2
    o.dlbm %= 13.5
    str(o.dlbm) == "9.5 lb"
    o.i = 5
    o.i = pow(o.i, 2.5)
    o.i == 55
    o.i = 3
    o.i = 8 << o.i
    o.i == 64
    sys.version_info >= (3, 0) == True`,
  characters: `
    o.c = "g"
    o.c == 103
    o.c = 104
    o.c == 104
    o.ca = "hello"
    str(o.ca) == "hello"
    o.ca[1] == 101
    o.ca[1] = "a"
    o.ca[4] = 121
    o.ca == "hally"
    o.ca = [65.9, 66, 67]
    o.ca == "ABC"
    o.cp = "pointed"
    o.cp == "pointed"
    o.cp[2] == 105
    o.caa = ["one", "two"]
    str(o.caa) == '["one","two",[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]'
    o.caa[1][2] == 111
    str(o.cap) == "[NULL, NULL, NULL, NULL]"
    o.cap[2] = "third"
    str(o.cap) == '[NULL, NULL, "third", NULL]'
    o.cap[2][0] == 116
    o.cpp = trick.alloc_type(2, "char *")
    o.cpp[1] = "b_2"
    str(o.cpp) == '[NULL, "b_2"]'
    o.cpp[1][1] == 95
    o.cpp = None
    str(o.cpp) == "NULL"
    o.str = "text"
    o.str == "text"
    raises o.ca = "a text that is longer than its twenty characters"`,
  'enumerations and truth values': `
    o.e = trick.THIRD
    o.e == trick.THIRD
    o.ea = [trick.SECOND, 0, trick.MY_ENUM.THIRD]
    o.ea[2] == trick.THIRD
    o.ep = trick.alloc_type(2, "MY_ENUM")
    str(o.ep) == "[0, 0]"
    o.epp = [[1, 2], None]
    str(o.epp) == "[[1, 2], NULL]"
    o.b = 2.5
    o.b == True
    o.ba = [0, 1.1, 0]
    o.ba[1] == True
    o.bp = [0, 31, False]
    str(o.bp) == "[False, True, False]"
    o.baa = [[1, 0, 1], [False, True, False]]
    str(o.baa) == "[[True, False, True],[False, True, False]]"
    o.bppp = [[[True, 0]], [[1, False]]]
    str(o.bppp) == "[[[True, False]], [[True, False]]]"
    o.bit_0 = 7
    o.bit_0 == 7
    o.bit_1 = -15
    o.bit_1 == -15
    o.boolbit_1 = 2
    o.boolbit_1 == True`,
  structures: `
    o.can.ii = 150
    o.can.jj = 160
    o.cana[1].ii = 260
    o.can2 = o.can
    o.can2.jj == 160
    o.can.jj = 161
    o.can2.jj == 160
    o.canp = o.can
    o.can.ii = 151
    o.canp.ii == 151
    o.canp = o.cana[1]
    o.canp.ii == 260
    o.canp = trick.alloc_type(2, "CanCopy")
    o.canp[1].jj = 700
    o.canp[1].jj == 700
    o.canap = [o.can, None, o.cana[1], o.can2]
    o.canap[2].ii == 260
    o.canap[1] == None
    o.canp = None
    str(o.canp) == "None"
    test_so.ns_test.bbp = trick.alloc_type(2, "my_ns::BB")
    test_so.ns_test.bbp[1].str = "there"
    test_so.ns_test.bbp[1].str + "!" == "there!"
    test_so.ns_test.bbpp = trick.alloc_type(2, "my_ns::BB *")
    test_so.ns_test.bbpp[1] = trick.alloc_type(3, "my_ns::BB")
    test_so.ns_test.bbpp[1][2].str = "bark"
    test_so.ns_test.bbpp[1][2].str == "bark"
    o.ut.i = 20
    o.ut.i == 20
    o.foo1.bar.z = 5
    o.foo1.bar.z == 5`,
  'addresses and slices': `
    o.d = 10
    o.dp = trick.get_address("test_so.obj.d")
    o.d += 1
    str(o.dp) == "[11 kg]"
    o.daa = [[1, 2, 3], [4, 5, 6]]
    o.dp = trick.get_address("test_so.obj.daa[1][1]")
    str(o.dp) == "[5 kg, 6 kg]"
    row = o.daa[1]
    str(row) == "[4 kg, 5 kg, 6 kg]"
    o.ia = [1, 2, 3]
    str(o.ia[1:]), str(o.ia[::2]), str(o.ia[-3:-1]), str(o.ia[::-2]) == "[2, 3]", "[1, 3]", "[1, 2]", "[3, 1]"
    o.ia[1:1] = 4
    str(o.ia) == "[1, 4, 2]"
    o.ia[0:1] = [7, 8]
    str(o.ia) == "[7, 8, 4]"
    o.ia[:] = [9]
    str(o.ia) == "[9, 0, 0]"
    o.ia[0:3:2] = [5, 6]
    str(o.ia) == "[5, 0, 6]"
    o.ip = [1, 2, 3, 4, 5]
    str(o.ip[-3:-1]) == "[3, 4]"
    o.ip[1:1] = [6, 7]
    str(o.ip) == "[1, 6, 7, 2, 3]"
    o.ip[1:4] = [8]
    str(o.ip) == "[1, 8, 3, 0, 0]"
    o.iiia = [3, 4]
    str(o.iiia) == "[3, 4, 0, 0, 0, 0]"
    raises o.da[5] = 2
    raises o.daa[20][0] = 2
    raises o.daa[0][20] = 2`,
  'maps and functions': `
    o.msi["one"] = 1
    o.msi["two"] = 2
    o.msi["one"] + o.msi["two"] == 3
    test_so.test_true() == True
    test_so.test_false() == False
    test_so.obj.get_double() == 4732992000.0
    round(o.scd, 4) == 1.2345
    tso.t + iftso.t == 50`,
  ...Object.fromEntries(
    Object.entries(INTEGERS).map(([x, declared]) => [`the type ${declared}`, numbers(x, declared)]),
  ),
};

/** The input file of a family: each expectation that does not hold is in `wrong`. */
function inputOf(family: string): string {
  const lines = (FAMILIES[family] as string).split('\n').filter((line) => line.trim() !== '');
  const statements = lines.map((line) => {
    const text = line.trim();
    const [got = '', right] = text.split(/ == (?=[^=]*$)/);
    if (text.startsWith('raises '))
      return `try:\n    ${text.slice(7)}\n    wrong.append(${JSON.stringify(text)})\nexcept (AttributeError, IndexError, TypeError):\n    pass`;
    if (right === undefined) return text;
    return `got = (${got})\nif got != (${right}): wrong.append(${JSON.stringify(text)} + " but " + str(got))`;
  });
  return `import sys\no = test_so.obj\nwrong = []\n${statements.join('\n')}\nif wrong: raise RuntimeError("; ".join(wrong))\n`;
}

describe("NASA's suite for its input processor", () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-input-'));
  after(() => rmSync(directory, { recursive: true }));

  for (const family of Object.keys(FAMILIES)) {
    it(`holds for ${family}`, async () => {
      const inputFile = join(directory, 'input.py');
      writeFileSync(inputFile, inputOf(family));
      const { end, messages } = await run(everything, { inputFile, untilSeconds: 0.1 });
      expect(end?.reason, messages.map(({ text }) => text).join('\n')).to.equal(undefined);
    });
  }
});
