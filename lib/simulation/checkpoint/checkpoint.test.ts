// Checkpoints: every state is written and read back exactly, and text that does not fit changes nothing.
import { expect } from 'chai';
import fc from 'fast-check';
import { double, int, pointer, struct, text } from '../../model/state/declare.js';
import { list, vector } from '../../model/state/declare-containers.js';
import { State } from '../../model/state/state.js';
import { SMALL } from '../../testing/aids/fixture/all.js';
import { createFixture } from '../../testing/aids/fixture/state.js';
import { runs } from '../../testing/aids/run-counts.js';
import { everything, scramble } from '../../testing/aids/scrambled-state.js';
import { modelOf, readModelOf, takeOver } from './plan.js';
import { CheckpointError, planLoad } from './reader.js';
import { writeCheckpoint as writeModel } from './writer.js';

const load = (state: State, checkpoint: string) => {
  state.pullMirrors();
  takeOver(state, planLoad(readModelOf(state), checkpoint)).end();
};

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

/** Names that may be looked through once, but not again for each object. */
class OnceThrough extends Array<string> {
  override includes(): boolean {
    throw new Error('all names were looked through for one object');
  }
}

describe('checkpoints', () => {
  it('looks for no object and no name one by one', () => {
    const state = new State();
    for (const name of ['a', 'b', 'c']) state.addObject(name).component('d', double(), 1);
    const written = writeCheckpoint(state, OnceThrough.from(['c', 'a', 'a']));
    expect(written.match(/^\w+(?=\.d = 1)/gm)).to.deep.equal(['a', 'c']);
    expect(() => writeCheckpoint(state, ['a', 'bb'])).to.throw('there is no object bb; did you mean b');
  });

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
      { numRuns: runs(150) },
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
            planLoad(readModelOf(state), mutated);
          } catch (error) {
            expect(error).to.be.instanceOf(CheckpointError);
            refused++;
          }
          expect(state.arena.memory.bytes.length).to.be.greaterThan(0);
        },
      ),
      { numRuns: runs(1500) },
    );
    expect(refused).to.be.greaterThan(runs(500));
    expect(everything(state)).to.deep.equal(before);
  });
});
