// Checkpoints: every state is written and read back exactly, and text that does not fit changes nothing.
import { expect } from 'chai';
import fc from 'fast-check';
import { double, int, pointer, struct, text } from '../model/declare.js';
import { list, vector } from '../model/declare-containers.js';
import type { Memory } from '../model/memory.js';
import { readLeaf } from '../model/memory.js';
import { State } from '../model/state.js';
import { isLeaf, NULL_TEXT, SEQUENCE_HEADER_BYTES, strideOf, TEXT_HEADER_BYTES, type Type } from '../model/type.js';
import { SMALL } from '../testing/aids/fixture/all.js';
import { createFixture } from '../testing/aids/fixture/state.js';
import { modelOf, takeOver } from './plan.js';
import { CheckpointError, planLoad } from './reader.js';
import { writeCheckpoint as writeModel } from './writer.js';

const load = (state: State, checkpoint: string) => {
  state.pullMirrors();
  takeOver(state, planLoad(modelOf(state), checkpoint)).end();
};

/** A value in full, but what checkpoints leave out: bits of floats, bytes of text, targets of pointers. */
function exactly(type: Type, memory: Memory, offset: number): unknown {
  const { bytes, view } = memory;
  const elements = (element: Type, base: number, count: number) =>
    Array.from({ length: count }, (_, index) => exactly(element, memory, base + index * strideOf(element)));
  if (type.kind === 'number' && type.name === 'double' && Number.isNaN(view.getFloat64(offset, true))) return 'nan';
  if (type.kind === 'number' && type.name === 'float' && Number.isNaN(view.getFloat32(offset, true))) return 'nan';
  if (type.kind === 'text') {
    const length = view.getUint32(offset, true);
    const start = offset + TEXT_HEADER_BYTES;
    return length === NULL_TEXT ? null : bytes.toString('hex', start, start + length);
  }
  if (isLeaf(type)) {
    const value = readLeaf(type, memory, offset);
    return Object.is(value, -0) ? '-0' : value;
  }
  switch (type.kind) {
    case 'array':
      return elements(type.element, offset, type.length);
    case 'sequence':
      return elements(type.element, offset + SEQUENCE_HEADER_BYTES, view.getUint32(offset, true));
    case 'pointer': {
      const [target, count] = [view.getUint32(offset, true), view.getUint32(offset + 4, true)];
      return [target, ...elements(type.target, target, count)];
    }
    default:
      return (type as Type & { kind: 'struct' }).members
        .filter(({ access }) => access === 'read-write')
        .map((member) => [member.name, exactly(member.type, memory, offset + member.offsetBytes)]);
  }
}

const everything = (state: State): unknown =>
  state.describe().objects.map(({ name, type }) => [name, exactly(type, state.arena.memory, 0)]);

/** Random bytes for all values from one seed, with many edge cases. */
class Scramble {
  constructor(private seed: number) {}

  next(below: number): number {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.seed / 2 ** 32) * below);
  }

  fill(type: Type, memory: Memory, offset: number): void {
    const { bytes, view } = memory;
    switch (type.kind) {
      case 'number':
        this.fillNumber(type, memory, offset);
        return;
      case 'bits': {
        const shift = 32 - type.widthBits;
        const value = this.next(2 ** 32);
        view.setInt32(offset, type.isSigned ? (value << shift) >> shift : (value << shift) >>> shift, true);
        return;
      }
      case 'enumeration':
        view.setInt32(offset, [0, 1, 2, 7, -5][this.next(5)] as number, true);
        return;
      case 'text': {
        const isNull = type.form !== 'string' && this.next(3) === 0;
        const length = isNull ? NULL_TEXT : this.next(type.capacityBytes + 1);
        view.setUint32(offset, length, true);
        for (let at = 0; !isNull && at < length; at++) bytes[offset + TEXT_HEADER_BYTES + at] = this.next(256);
        return;
      }
      case 'array':
        this.fillElements(type.element, memory, offset, type.length);
        return;
      case 'sequence': {
        const length = this.next(type.capacity + 1);
        view.setUint32(offset, length, true);
        this.fillElements(type.element, memory, offset + SEQUENCE_HEADER_BYTES, length);
        return;
      }
      case 'struct':
        for (const member of type.members) this.fill(member.type, memory, offset + member.offsetBytes);
        return;
      case 'pointer':
        return;
    }
  }

  private fillNumber(type: Type & { kind: 'number' }, { bytes, view }: Memory, offset: number): void {
    const size = strideOf(type);
    for (let at = 0; at < size; at++) bytes[offset + at] = this.next(256);
    if (type.name === 'bool') bytes[offset] = this.next(2);
    const edges = [-0, 0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, 1e-45, 0.1, 1e16];
    const edge = this.next(2 * edges.length);
    if (type.name === 'double' && edge < edges.length) view.setFloat64(offset, edges[edge] as number, true);
    if (type.name === 'float' && edge < edges.length) view.setFloat32(offset, edges[edge] as number, true);
    if (size === 8 && type.name !== 'double' && edge < 3)
      view.setBigInt64(offset, [-(2n ** 63n), -1n, 0n][edge] as bigint, true);
  }

  private fillElements(element: Type, memory: Memory, base: number, count: number): void {
    for (let index = 0; index < count; index++) this.fill(element, memory, base + index * strideOf(element));
  }
}

function scramble(state: State, seed: number): void {
  const random = new Scramble(seed);
  const { memory } = state.arena;
  for (const { type } of state.describe().objects) random.fill(type, memory, 0);
  for (const { type, offsetBytes, count } of state.allocations.all) {
    for (let index = 0; index < count; index++) random.fill(type, memory, offsetBytes + index * strideOf(type));
  }
}

/** The fixture with pointers of every kind and containers in containers. */
function richFixture() {
  const made = createFixture(SMALL);
  const Deep = struct('Deep', { rows: vector(vector(double(), 3), 3), notes: list(text(9), 2), at: pointer(int()) });
  const deep = made.state.addObject('deep').component('all', vector(Deep, 2), [
    { rows: [[1, 2], [], [3]], notes: ['a', '"b\\n"'], at: [1, 2] },
    { rows: [[4]], notes: [], at: [3] },
  ]);
  return { ...made, deep };
}

const writeCheckpoint = (state: State, names?: readonly string[]) =>
  writeModel(modelOf(state), state.arena.memory, names);

/** What a checkpoint only shows is not restored. */
const withoutShown = (checkpoint: string): string => checkpoint.replace(/^\/\* OUTPUT-ONLY: .*\*\/\n/gm, '');

describe('checkpoints', () => {
  it('writes variables as Trick does, zero values left out', () => {
    const state = new State();
    const Sensor = struct('Sensor', { reading: double(), id: int() });
    const ball = state.addObject('ball').component(
      'state',
      struct('S', {
        pos: double([2, 2]),
        count: int(),
        names: vector(text(8), 3),
        spare: pointer(Sensor),
      }),
      {
        pos: [
          [0.1, -0],
          [0, 1e-7],
        ],
        names: ['a"b', 'c\n'],
        spare: [{ reading: 1 / 3, id: 7 }, { id: 8 }],
      },
    );
    expect(ball.count).to.equal(0);
    expect(writeCheckpoint(state)).to.equal(
      [
        '// Variable Declarations.',
        'Sensor trick_anon_local_0[2];',
        'std::string ball_state_names[2];',
        '',
        '',
        '// Clear all allocations to 0.',
        'clear_all_vars();',
        '',
        '',
        '// Variable Assignments.',
        'ball.name = "ball";',
        'ball.id = 1;',
        'ball.state.pos = ',
        '    {',
        '        {0.1, -0},',
        '        {0, 1e-07}',
        '    };',
        '// STL: ball.state.names',
        'ball.state.spare = &trick_anon_local_0[0];',
        '',
        'trick_anon_local_0[0].reading = 0.3333333333333333;',
        'trick_anon_local_0[0].id = 7;',
        'trick_anon_local_0[1].id = 8;',
        '',
        'ball_state_names = ',
        '    {"a\\"b", ',
        '     "c\\n"};',
        '',
        '',
      ].join('\n'),
    );
  });

  it('writes doubles and floats with as many digits as they need', () => {
    const state = new State();
    const S = struct('S', { big: double(), third: double() });
    state.addObject('a').component('s', S, { big: Number.MAX_VALUE, third: 0.1 + 0.2 });
    expect(writeCheckpoint(state)).to.contain('a.s.big = 1.7976931348623157e+308;\na.s.third = 0.30000000000000004;\n');
  });

  it('restores every variable bit for bit', () => {
    const { state } = richFixture();
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (saved, other) => {
        scramble(state, saved);
        const before = everything(state);
        const checkpoint = writeCheckpoint(state);
        scramble(state, other);
        load(state, checkpoint);
        expect(everything(state)).to.deep.equal(before);
        expect(withoutShown(writeCheckpoint(state))).to.equal(withoutShown(checkpoint));
      }),
      { numRuns: 150 },
    );
  });

  it('restores pointers to components, parts of allocations and null', () => {
    const { state, all } = richFixture();
    const { spare, sensors } = { spare: all.vehicle.spare, sensors: all.vehicle.sensors };
    for (const aim of [
      () => spare.pointTo(sensors[0]),
      () => spare.pointTo(sensors),
      () => spare.pointTo(all.vehicle.sensor),
      () => spare.pointTo(all.dyn_sensors.at(1)),
      () => spare.pointTo(all.vsen.at(1)),
      () => spare.clear(),
    ]) {
      aim();
      const before = everything(state);
      const checkpoint = writeCheckpoint(state);
      spare.pointTo(sensors[1]);
      load(state, checkpoint);
      expect(everything(state)).to.deep.equal(before);
    }
  });

  it('uses the same memory again and again however often a checkpoint with allocations of its own is loaded', () => {
    const { state, all } = createFixture(SMALL);
    const checkpoint = 'fx.all.null_dyn = &trick_anon_local_9[0];\ntrick_anon_local_9 = {1, 2, 3, 4};\n';
    load(state, checkpoint);
    expect([...all.null_dyn]).to.deep.equal([1, 2, 3, 4]);
    const { usedBytes } = state.arena;
    for (let time = 0; time < 100; time++) load(state, checkpoint);
    expect(state.arena.usedBytes).to.equal(usedBytes);
  });

  it('clears what the file does not mention in the objects that it does', () => {
    const { state, all } = createFixture(SMALL);
    const other = state.addObject('other').component('x', double(), 5);
    load(state, 'fx.all.d = 7;');
    expect([all.d, all.ui, all.str, all.cp, all.vd.length, all.dyn.isNull]).to.deep.equal([7, 0, '', null, 0, true]);
    expect(other.value).to.equal(5);
    load(state, 'clear_all_vars();');
    expect([all.d, other.value]).to.deep.equal([0, 0]);
  });

  it('writes and restores some objects alone', () => {
    const { state, all } = createFixture(SMALL);
    const other = state.addObject('other').component('x', double(), 5);
    const checkpoint = writeCheckpoint(state, ['fx']);
    expect(checkpoint).not.to.match(/other|clear_all_vars/);
    Object.assign(all, { d: 0, ui: 0 });
    other.value = 6;
    load(state, checkpoint);
    expect([all.d, all.ui, other.value]).to.deep.equal([-2.25, 4_000_000_000, 6]);
    expect(() => writeCheckpoint(state, ['fy'])).to.throw('there is no object fy; did you mean fx?');
  });

  it("ignores what only Trick's own objects have", () => {
    const { state, all } = createFixture(SMALL);
    load(state, 'fx.name = "fx";\nfx.id = 21;\ntrick_sys.sched.rift = 1;\ntrick_x[1].y = 2;\nfx.all.d = 1;');
    expect(all.d).to.equal(1);
  });

  const misfits: [string, string][] = [
    ['fx.all.d = 1;\nfx.all.dd = 1;', 'line 2: fx.all has no member dd; did you mean d, d3 or vd?'],
    ['fy.all.d = 1;', 'line 1: there is no object or container fy; did you mean fx?'],
    ['fx.all.i = 1.5;', 'line 1: fx.all.i is an int; 1.5 does not fit'],
    ['fx.all.i = 2147483648;', 'line 1: fx.all.i is an int; 2147483648 does not fit'],
    ['fx.all.d = "x";', 'line 1: fx.all.d is a double; the text "x" does not fit'],
    ['fx.all.phase = ENTRI;', 'line 1: fx.all.phase is a FlightPhase, which has no label "ENTRI"; did you mean ENTRY?'],
    ['fx.all.d3 = {1,\n 2, 3, 4};', 'line 1: fx.all.d3 has room for 3 elements, not 4'],
    ['fx.all.d3 = {1,\n true, 3};', 'line 2: fx.all.d3[1] is a double; true does not fit'],
    ['fx.all.d3[3] = 1;', 'line 1: fx.all.d3 has no element [3], its indices are 0 to 2'],
    [`fx.all.cp = "${'0123456789'.repeat(7)}";`, 'line 1: fx.all.cp has room for 64 bytes of text, not 70'],
    ['double fx_all_vd[6];\nfx.all.d = 1;', 'line 1: fx.all.vd has room for 5 elements, not 6'],
    ['fx.all.dyn = &fx.all.i;', 'line 1: fx.all.dyn cannot point at fx.all.i, which is of another type'],
    ['fx.all.dyn = &nowhere[0];', 'line 1: fx.all.dyn points at nowhere, of which the file says nothing'],
    ['double huge[900000000000];\nfx.all.dyn = &huge[0];', 'line 2: huge takes more than 67108864 bytes'],
    ['fx.all.d = 1', "line 1: expected ';' at the end of the statement, found the end of the file"],
  ];
  for (const [text, sentence] of misfits) {
    it(`refuses ${JSON.stringify(text)} and changes nothing`, () => {
      const { state } = createFixture(SMALL);
      const before = everything(state);
      expect(() => load(state, text)).to.throw(CheckpointError, sentence);
      expect(everything(state)).to.deep.equal(before);
    });
  }

  it('neither fails otherwise nor changes anything on mutated and truncated files', () => {
    const { state } = richFixture();
    const checkpoint = writeCheckpoint(state);
    const before = everything(state);
    const nasty = [
      '',
      '"',
      '{',
      '}',
      ';',
      '&',
      '999999999999',
      '[',
      '.',
      '-',
      'NULL',
      "'",
      '/*',
      '\0',
      'é',
      '=',
      'inf',
    ];
    let refused = 0;
    fc.assert(
      fc.property(
        fc.nat(checkpoint.length),
        fc.nat(6),
        fc.constantFrom(...nasty),
        fc.boolean(),
        (at, cut, put, isTruncated) => {
          const mutated = checkpoint.slice(0, at) + put + (isTruncated ? '' : checkpoint.slice(at + cut));
          try {
            planLoad(modelOf(state), mutated);
          } catch (error) {
            expect(error).to.be.instanceOf(CheckpointError);
            refused++;
          }
          expect(state.arena.memory.bytes.length).to.be.greaterThan(0);
        },
      ),
      { numRuns: 1500 },
    );
    expect(refused).to.be.greaterThan(500);
    expect(everything(state)).to.deep.equal(before);
  });
});
