// What assignments of the command language do to pointers, structures, slices, texts and maps.
import { expect } from 'chai';
import {
  array,
  char,
  charPointer,
  chars,
  double,
  int,
  pointer,
  struct,
  text,
  unsignedChar,
} from '../../../model/state/declare.js';
import { map, vector } from '../../../model/state/declare-containers.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

const Sensor = struct('Sensor', { label: text(8), reading: double({ units: 'degC' }), history: pointer(double()) });
const Other = struct('Other', { label: text(8), reading: double({ units: 'degC' }), history: pointer(double()) });
const FEET = { units: 'ft' };
const METRES = { units: 'm' };

const Craft = struct('Craft', {
  sensors: array(Sensor, 3),
  spare: pointer(Sensor),
  copy: Sensor,
  other: Other,
  list: array(pointer(Sensor), 3),
  grid: array(array(pointer(int()), 2), 2),
  p: pointer(double(METRES)),
  q: pointer(double(METRES)),
  pp: pointer(pointer(double(METRES))),
  ppp: pointer(pointer(pointer(int()))),
  metres: double([2, 3], METRES),
  feet: double([2, 3], FEET),
  ia: int(3),
  v: vector(int(), 6),
  c: char(),
  uc: unsignedChar(),
  name: chars(8),
  names: chars([3, 4]),
  cp: charPointer(16),
  cps: array(charPointer(16), 3),
  cpp: pointer(charPointer(8)),
  gains: map(text(8), double({ units: 'kg' }), 3),
  counts: map(int(), int(), 3),
  limited: double({ min: 0, max: 10 }),
  plain: double(),
  to_plain: pointer(double()),
  locked: double({ access: 'read-only' }),
  secret: double({ access: 'write-only' }),
  fixed: pointer(double(), { access: 'read-only' }),
});

describe('an assignment', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  beforeEach(async () => {
    fixture = await startTrickFixture({
      build: (sim) => {
        const sensors = [0, 1, 2].map((index) => ({ label: `s${index}`, reading: 20 + index, history: [index, 5] }));
        sim.object('a').component('b', Craft, {
          sensors,
          metres: [
            [1, 2, 3],
            [4, 5, 6],
          ],
          cp: 'pointed',
          name: 'Orion',
          gains: [
            ['roll', 1],
            ['yaw', 2],
          ],
        } as never);
      },
    });
    client = fixture.connect();
    await fixture.ask(client, 'trick.var_set_send_stdio(True)\nb = a.b\n');
  });
  afterEach(() => fixture.close());

  /** What statements print, and the last line of what they complain of. */
  async function said(text: string): Promise<string> {
    const answer = await fixture.ask(client, `${text}\n`);
    const pieces = [...answer.matchAll(/4 [12] (\d+)\n/g)];
    const all = pieces.map((head) => answer.slice(head.index + head[0].length).slice(0, Number(head[1])));
    return all
      .join('')
      .trimEnd()
      .replace(/Traceback[\s\S]*\n(?=\w+Error)/, '');
  }

  /** Statements, and what they print. */
  const PRINTED: Readonly<Record<string, readonly (readonly [statements: string, printed: string])[]>> = {
    'of a structure to a pointer makes it point there': [
      ['b.spare = b.sensors[1]\nb.sensors[1].reading = 90\nprint(b.spare.label, b.spare[0].reading)', 's1 90 degC'],
      ['b.list[2] = b.spare\nb.spare.label = "new"\nprint(b.sensors[1].label, b.list[2].label)', 'new new'],
      ['b.spare = b.copy\nb.copy.label = "c"\nprint(b.spare.label)', 'c'],
      ['b.spare = b.sensors\nprint(b.spare[2].label)', 's2'],
      ['b.spare = None\nprint(b.spare, b.spare is None, b.spare == None, not b.spare)', 'None True True True'],
    ],
    'of a structure to one of its type copies it, and its pointers point where the others point': [
      ['b.copy = b.sensors[2]\nb.sensors[2].reading = 0\nprint(b.copy.label, b.copy.reading)', 's2 22 degC'],
      ['b.sensors[2].history[0] = 7\nprint(b.copy.history)', '[7, 5]'],
      ['b.spare = b.sensors[0]\nb.copy = b.spare\nprint(b.copy.label)', 's0'],
    ],
    'of a list to a pointer makes memory for it': [
      ['b.p = [30, 31, 32]\nprint(b.p, len(b.p))', '[30 m, 31 m, 32 m] 3'],
      ['b.p[1] = trick.attach_units("km", 1)\nb.q = b.p\nb.q[0] = 1\nprint(b.p)', '[1 m, 1000 m, 32 m]'],
      ['b.p = trick.attach_units("km", (1, 2))\nprint(b.p, b.q)', '[1000 m, 2000 m] [1 m, 1000 m, 32 m]'],
      ['print(b.p[-1], b.p[-1.0], b.p[1.9], b.p[fx.all.i - 4])', '2000 m 2000 m 2000 m 2000 m'],
      ['b.p[-1] = 5\nb.p[-2] = 4\nprint(b.p)', '[4 m, 5 m]'],
      ['b.p = None\nprint(b.p, b.p[0], str(b.p[3]))', 'NULL NULL NULL'],
    ],
    'of lists in lists makes memory for all of them': [
      ['b.pp = [[1, 2], None, [3]]\nprint(b.pp, b.pp[0])', '[[1 m, 2 m], NULL, [3 m]] [1 m, 2 m]'],
      ['b.pp[1] = [4, 5]\nb.pp[0] = None\nprint(b.pp, b.pp[0][1])', '[NULL, [4 m, 5 m], [3 m]] NULL'],
      ['b.ppp = [[[1, 2], [3]], [[4]]]\nprint(b.ppp, b.ppp[0][1])', '[[[1, 2], [3]], [[4]]] [3]'],
      ['b.ppp[1] = [[7], [8, 9]]\nb.ppp[1][1][0] = 6\nprint(b.ppp[1])', '[[7], [6, 9]]'],
      ['b.ppp = None\nb.pp = trick.alloc_type(2, "double *")\nprint(b.ppp, b.pp)', 'NULL [NULL, NULL]'],
    ],
    'to an array of pointers takes structures, lists, addresses and None': [
      ['b.list = [b.sensors[0], None, b.copy]\nprint(b.list[0].label, b.list[1], b.list[2].reading)', 's0 None 0 degC'],
      ['b.list[0:2] = [b.list[2], b.list[0]]\nprint(b.list[0].reading, b.list[1].label)', '0 degC s0'],
      [
        'try: b.list = [b.sensors[1], b.ia]\nexcept TypeError as e: print(e)\nprint(b.list[1].label)',
        'a.b.list[1] points at Sensor, not at int[3]\ns0',
      ],
      ['b.pp = [b.metres[0], None, [4, 5]]\nb.metres[0][1] = 9\nprint(b.pp)', '[[1 m, 9 m, 3 m], NULL, [4 m, 5 m]]'],
      ['b.pp = [b.pp[2], trick.get_address("a.b.pp[0][1]")]\nprint(b.pp)', '[[4 m, 5 m], [9 m, 3 m]]'],
      ['b.list = [b.sensors[1]]\nprint(b.list[0].label, b.list[2])', 's1 None'],
      ['b.grid = [[[1], None], [trick.alloc_type(2, "int"), [3, 4]]]\nprint(b.grid)', '[[[1], NULL],[[0, 0], [3, 4]]]'],
      ['b.grid[1] = b.grid[0]\nb.grid[1][0][0] = 8\nprint(b.grid)', '[[[8], NULL],[[8], NULL]]'],
    ],
    'of an address makes a pointer point at a variable': [
      ['b.p = trick.get_address("a.b.metres[1][1]")\nprint(b.p)', '[5 m, 6 m]'],
      ['b.p[0] = 50\nprint(b.metres)', '[[1 m, 2 m, 3 m],[4 m, 50 m, 6 m]]'],
      ['b.p = trick.get_address("a.b.metres")\nprint(len(b.p), b.p[4])', '6 50 m'],
      [
        'b.p = trick.get_address("a.b.metres[0]")\nb.q = trick.get_address("a.b.p[1]")\nprint(b.p, b.q)',
        '[1 m, 2 m, 3 m] [2 m, 3 m]',
      ],
      ['b.p = b.metres[1]\nprint(b.p)', '[4 m, 50 m, 6 m]'],
      ['b.p = trick.TMM_declare_var_s("double h[2][2]")\nprint(b.p)', '[0 m, 0 m, 0 m, 0 m]'],
    ],
    'of an array copies its numbers in their units': [
      ['b.feet = b.metres\nprint(b.feet[0])', '[3.280839895013123 ft, 6.561679790026246 ft, 9.842519685039369 ft]'],
      [
        'b.feet[1] = b.metres[0]\nb.metres[0] = b.p = [7, 8, 9]\nb.metres[1] = b.p\nprint(b.metres, b.feet[1][0])',
        '[[7 m, 8 m, 9 m],[7 m, 8 m, 9 m]] 3.280839895013123 ft',
      ],
      ['b.v = b.ia = [1, 2, 3]\nb.ia = b.v\nprint(b.v, b.ia)', '[1, 2, 3] [1, 2, 3]'],
    ],
    'to a slice of an array keeps its length': [
      ['b.ia = [10, 20, 30]\nb.ia[1:1] = 400\nprint(b.ia, b.ia[1:], b.ia[::-2])', '[10, 400, 20] [400, 20] [20, 10]'],
      ['b.ia = [10, 20, 30]\nb.ia[0:1] = [400, 500]\nprint(b.ia)', '[400, 500, 20]'],
      ['b.ia = [10, 20, 30]\nb.ia[:] = (400, 500)\nprint(b.ia)', '[400, 500, 0]'],
      ['b.ia = [10, 20, 30]\nb.ia[0:3:2] = [400, 500]\nprint(b.ia)', '[400, 20, 500]'],
      ['b.ia = [10, 20, 30]\nb.ia[-2:] = b.ia[:2]\nprint(b.ia)', '[10, 10, 20]'],
      ['b.p = [10, 20, 30, 40, 50]\nb.q = b.p\nb.p[1:4] = [400, 500]\nprint(b.q)', '[10 m, 400 m, 500 m, 50 m, 0 m]'],
      ['b.p[1:5:2] = trick.attach_units("km", [4, 5])\nprint(b.q)', '[10 m, 4000 m, 500 m, 5000 m, 0 m]'],
      ['b.metres[0:1] = [[1, 1, 1]]\nb.metres[1][1:] = [2]\nprint(b.metres)', '[[1 m, 1 m, 1 m],[4 m, 2 m, 0 m]]'],
      ['b.v = [1, 2, 3]\nb.v[1:1] = [7, 8]\nprint(b.v)\nb.v[:3] = []\nprint(b.v)', '[1, 7, 8, 2, 3]\n[2, 3]'],
    ],
    'of a character or of numbers to characters': [
      ['b.c = "g"\nb.uc = "A"\nprint(b.c, b.uc)', '103 65'],
      ['b.name = [65, 66.7, 67]\nprint(b.name, b.name[1], b.name[7], b.name[-2])', 'ABC 66 0 66'],
      ['b.name[1] = 120\nb.name[2] = "y"\nprint(b.name)', 'Axy'],
      ['b.names = ["ab", [67, 68]]\nprint(b.names, b.names[1], b.names[1][0])', '["ab","CD",[0, 0, 0, 0]] CD 67'],
      ['b.cp = [72, 105, 0]\nprint(b.cp, b.cp[1])', 'Hi 105'],
      ['b.cp[0] = 104\nb.cp[1] = "o"\nprint(b.cp)\nb.cp[1] = 0\nprint(b.cp)', 'ho\nh'],
      ['b.cps[1] = "two"\nprint(b.cps, b.cps[1][2])', '["", "two", ""] 111'],
      ['b.cpp = trick.alloc_type(3, "char *")\nb.cpp[1] = "one"\nprint(b.cpp, b.cpp[1][0])', '[NULL, "one", NULL] 111'],
      ['b.cpp = ["x", None]\nprint(b.cpp)\ns = b.name\nprint(s[0], fx.all.str[0])', '["x", NULL]\nA t'],
    ],
    'to an entry of a map by its key': [
      ['print(b.gains["yaw"])\nb.gains["yaw"] = trick.attach_units("g", 500)\nprint(b.gains["yaw"])', '2 kg\n0.5 kg'],
      [
        'b.gains["pitch"] = 3\nb.gains["roll"] += 1\nprint(len(b.gains), b.gains["pitch"], b.gains["roll"])',
        '3 3 kg 2 kg',
      ],
      ['b.counts = [[7, 70]]\nprint(b.counts[0].first, b.counts[0].second)', '7 70'],
    ],
  };
  for (const [what, steps] of Object.entries(PRINTED)) {
    it(what, async () => {
      for (const [statements, printed] of steps) expect(await said(statements), statements).to.equal(printed);
    });
  }

  const REFUSED: Readonly<Record<string, RegExp>> = {
    'b.spare = b.other': /^TypeError: a\.b\.spare points at Sensor, not at Other$/,
    'b.copy = b.other': /^TypeError: a\.b\.copy is a Sensor; Other does not fit$/,
    'b.copy = b.metres': /^TypeError: a\.b\.copy is a Sensor; double\[2\]\[3\] does not fit$/,
    'b.copy = b.list[0]': /^TypeError: a\.b\.copy is a Sensor/,
    'b.spare = 5': /^TypeError: a\.b\.spare is a pointer: assign what it points at, a\.b\.spare\[0\]/,
    'b.p = b.ia': /^TypeError: a\.b\.p points at double, not at int\[3\]$/,
    'b.p = []': /^TypeError: a\.b\.p points at one value or more, or at None$/,
    'b.p = [1, "x"]': /^TypeError: a\.b\.p\[1\] is a double; the text "x" does not fit$/,
    'b.p = trick.attach_units("kg", [1])': /^TypeError: expected units that convert from "kg"/,
    'b.pp = [1, 2]': /^TypeError: a\.b\.pp\[0\] is a double\*; the number 1 does not fit$/,
    'b.list = [None] * 4': /^TypeError: a\.b\.list has 3 elements, a list of 4 does not fit$/,
    'b.to_plain = trick.get_address("a.b.limited")': /^TypeError: a\.b\.to_plain points at double, not at double$/,
    'b.to_plain = trick.get_address("a.b.locked")': /^TypeError: a\.b\.locked is read-only, and would not be behind/,
    'b.to_plain = trick.get_address("a.b.secret")': /^TypeError: a\.b\.secret is write-only, and would not be behind/,
    'b.to_plain = trick.get_address("a.b.p[3]")': /^TypeError: a\.b\.p\[3\] is not there: a pointer on the way is null/,
    'b.fixed = [1]': /^TypeError: a\.b\.fixed is read-only$/,
    'b.fixed = None': /^TypeError: a\.b\.fixed is read-only$/,
    'trick.get_address("a.b.nope")': /^AttributeError: a\.b has no member nope/,
    'b.plain = trick.get_address("a.b.limited")': /^TypeError: a\.b\.plain is no pointer, an address does not fit$/,
    'b.ia[0:3:2] = [1]': /^ValueError: attempt to assign sequence of size 1 to extended slice of size 2$/,
    'b.ia[1:] = ["x"]': /^TypeError: a\.b\.ia\[1\] is an int; the text "x" does not fit$/,
    'b.ia[3] = 1': /^AttributeError: a\.b\.ia has no element \[3\], its indices are 0 to 2$/,
    'b.ia["x"] = 1': /^TypeError: indices of a\.b\.ia must be integers, not str$/,
    'b.name = [65, 200]': /^TypeError: a\.b\.name takes the numbers of characters from 0 to 127, not 200$/,
    'b.name = [65, 0, 66]': /^TypeError: a\.b\.name holds a text, which ends at the first 0 of a list$/,
    'b.c = "gg"': /^TypeError: a\.b\.c is a char; the text "gg" does not fit$/,
    'b.cp[7] = 65': /^IndexError: a\.b\.cp\[7\] is no character of a text of 7 bytes$/,
    'b.gains["x"] = b.gains["y"]': /^KeyError: 'y'$/,
    'for k in "xyz": b.gains[k] = 1': /^TypeError: a\.b\.gains has room for 3 elements, a list of 4 does not fit$/,
    'b.spare.label = "x"': /^AttributeError: 'NoneType' object has no attribute 'label'$/,
    'b.p[0] = 1': /a\.b\.p\[0\] is not there: a pointer on the way is null or an index too large$/,
  };
  for (const [statement, sentence] of Object.entries(REFUSED)) {
    it(`is refused with a sentence: ${statement}`, async () => {
      expect(await said(statement)).to.match(sentence);
      expect(await said('print(b.p, b.spare, b.ia, b.name, b.gains["yaw"], b.copy.reading)')).to.equal(
        'NULL None [0, 0, 0] Orion 2 kg 0 degC',
      );
    });
  }

  it('shows a character behind a pointer to who reads it', async () => {
    const asked = 'trick.var_send_once("a.b.cp[0], a.b.cp[6], a.b.cp[7]", 3)\n';
    expect(await fixture.ask(client, asked)).to.equal('5\t112\t100\tBAD_REF\n');
  });

  it('takes no more memory with each list that is assigned, and gives it back', async () => {
    const { allocations } = fixture.local.host.running.state;
    const before = allocations.ownCount;
    // A block has a time, in which a busy machine may not run all of them.
    for (let round = 0; round < 150; round++) {
      expect(await said(`b.p = [${round}, 1]\nb.p = [1, ${round}]\nprint(1)`)).to.equal('1');
      expect(await said(`b.ppp = [[[${round}], [1]], [[1]]]\nprint(1)`)).to.equal('1');
    }
    expect(allocations.ownCount - before).to.equal(7);
    await said('b.p = b.ppp = None');
    expect(allocations.ownCount).to.equal(before);
  });

  it('gives memory no more than a client may have', async () => {
    expect(await said('for k in range(30): b.pp = [[j] for j in range(2500)]')).to.match(
      /^(TypeError: a client may have|TypeError: there are 2000 declared variables)/,
    );
    expect(await said('print(b.pp)\nb.p = [1]\nprint(b.p)')).to.equal('NULL\n[1 m]');
  });
});
