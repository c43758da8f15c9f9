// Checkpoints in Trick's form: what a real Trick writes and reads, piece by piece.
import { expect } from 'chai';
import {
  array,
  bool,
  charPointer,
  double,
  enumeration,
  int,
  pointer,
  short,
  struct,
  text,
  unsignedChar,
} from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import { State } from '../../model/state/state.js';
import { modelOf, readModelOf, takeOver } from './plan.js';
import { planLoad } from './reader.js';
import { writeCheckpoint } from './writer.js';

const dump = (state: State, names?: readonly string[]): string =>
  writeCheckpoint(modelOf(state), state.arena.memory, names);
const assignments = (state: State): string => dump(state).split('// Variable Assignments.\n')[1] as string;
const declarations = (state: State): string[] => dump(state).split('\n\n\n')[0]!.split('\n').slice(1).filter(Boolean);
const load = (state: State, file: string) => {
  const plan = planLoad(readModelOf(state), file);
  takeOver(state, plan).end();
  return plan;
};

describe("a checkpoint in Trick's form", () => {
  it('breaks lines before the 5th, 10th and 20th value, and after each text', () => {
    const state = new State();
    const Phase = enumeration('Phase', { A: 1 });
    const S = struct('S', {
      d: double(11),
      s: short(11),
      b: bool(11),
      e: array(Phase, 10),
      c: unsignedChar(21),
      t: array(text(4), 2),
      p: array(charPointer(4), 21),
      n: int([2, 5]),
    });
    const one = state.addObject('o').component('s', S, { t: ['x', 'y'], p: Array(21).fill('z') as never });
    for (let k = 0; k < 11; k++) Object.assign(one.d, { [k]: k + 1 });
    for (let k = 0; k < 11; k++) Object.assign(one.s, { [k]: k + 1 });
    for (let k = 0; k < 11; k++) one.b[k] = true;
    for (let k = 0; k < 10; k++) one.e[k] = 1;
    for (let k = 0; k < 21; k++) Object.assign(one.c, { [k]: 9 });
    for (let k = 0; k < 5; k++) Object.assign(one.n[1], { [k]: k });
    expect(assignments(state)).to.equal(
      [
        'o.name = "o";',
        'o.id = 1;',
        'o.s.d = ',
        '    {1, 2, 3, 4, ',
        '     5, 6, 7, 8, 9, ',
        '     10, 11};',
        'o.s.s = ',
        '    {1, 2, 3, 4, 5, 6, 7, 8, 9, ',
        '     10, 11};',
        'o.s.b = ',
        '    {true, true, true, true, true, true, true, true, true, ',
        '     true, true};',
        'o.s.e = ',
        '    {A, A, A, A, A, A, A, A, A, ',
        '     A};',
        'o.s.c = ',
        `    {${'9, '.repeat(19)}`,
        '     9, 9};',
        'o.s.t = ',
        '    {"x", ',
        '     "y"};',
        'o.s.p = ',
        `    {${'"z", '.repeat(19)}`,
        '     "z", "z"};',
        'o.s.n = ',
        '    {',
        '        {0, 0, 0, 0, ',
        '         0},',
        '        {0, 1, 2, 3, ',
        '         4}',
        '    };',
        '',
        '',
      ].join('\n'),
    );
  });

  it('names containers in containers by their index, each after the one that holds it', () => {
    const state = new State();
    const vv = state.addObject('o').component('vv', vector(vector(double(), 3), 3), [[1, 2], [], [3]]);
    expect(declarations(state)).to.deep.equal(['std::string o_vv[3];', 'double o_vv_0[2];', 'double o_vv_2[1];']);
    const file = dump(state);
    expect(file)
      .to.contain('// STL: o.vv\n')
      .and.to.contain('\no_vv = \n    {"o_vv_0", \n     "o_vv_1", \n     "o_vv_2"};\n\n');
    vv.length = 0;
    load(state, file);
    expect([...vv].map((inner) => [...inner])).to.deep.equal([[1, 2], [], [3]]);
    expect(dump(state)).to.equal(file);
  });

  it('writes a pointer at a whole array as its first element', () => {
    const state = new State();
    const S = struct('S', { d3: double(3), at: pointer(double()) });
    const one = state.addObject('o').component('s', S, { d3: [1, 2, 3] });
    one.at.pointTo(one.d3);
    expect(assignments(state)).to.contain('o.s.at = &o.s.d3[0];');
    load(state, dump(state));
    expect([...one.at]).to.deep.equal([1, 2, 3]);
  });

  it('says in a comment that a pointer means fewer values than there are', () => {
    const state = new State();
    const Point = struct('Point', { x: double() });
    const S = struct('S', { points: array(Point, 3), at: pointer(Point) });
    const one = state.addObject('o').component('s', S);
    one.at.pointTo(one.points[1]);
    const file = dump(state);
    expect(file).to.contain('o.s.at = &o.s.points[1] /*count 1*/;');
    one.at.clear();
    load(state, file);
    expect(one.at.length).to.equal(1);
    load(state, file.replace(' /*count 1*/', ''));
    expect(one.at.length).to.equal(2);
  });

  it('tells a single value from a list of one', () => {
    const state = new State();
    const Point = struct('Point', { x: double(), y: double() });
    const S = struct('S', { one: pointer(Point), many: pointer(Point) });
    const made = state.addObject('o').component('s', S);
    const file = [
      'Point trick_anon_local_0;',
      'Point trick_anon_local_1[3];',
      'clear_all_vars();',
      'o.s.one = &trick_anon_local_0;',
      'o.s.many = &trick_anon_local_1[0];',
      'trick_anon_local_0.x = 11;',
      'trick_anon_local_1[2].y = 5;',
    ].join('\n');
    load(state, file);
    expect(made.one.at(0).x).to.equal(11);
    expect([...made.many].map(({ y }) => y)).to.deep.equal([0, 0, 5]);
    expect(declarations(state)).to.deep.equal(['Point trick_anon_local_0;', 'Point trick_anon_local_1[3];']);
    expect(assignments(state))
      .to.contain('o.s.one = &trick_anon_local_0;\n')
      .and.to.contain('trick_anon_local_0.x = 11;');
    const again = dump(state);
    const { usedBytes } = state.arena;
    load(state, again);
    expect(dump(state)).to.equal(again);
    expect(state.arena.usedBytes).to.equal(usedBytes);
  });

  it('declares memory in the order of its allocation, also what nothing points at', () => {
    const state = new State();
    const S = struct('S', { b: pointer(int()), a: pointer(double()) });
    const one = state.addObject('o').component('s', S, { b: [3], a: [1, 2] });
    one.b.clear();
    const file = dump(state);
    expect(declarations(state)).to.deep.equal(['int trick_anon_local_0[1];', 'double trick_anon_local_1[2];']);
    expect(file).to.contain('\ntrick_anon_local_0 = \n    {3};\n\ntrick_anon_local_1 = \n    {1, 2};\n\n');
    load(state, file);
    expect(dump(state)).to.equal(file);
    load(state, file.replace('{3}', '{4}'));
    expect(dump(state)).to.contain('{4}');
  });

  it('declares variables of their own by their names, makes them on loading, and removes those that it does not have', () => {
    const state = new State();
    const Point = struct('Point', { x: double() });
    const one = state.addObject('o').component('s', struct('S', { at: pointer(double()), p: Point }));
    const named = (
      type: typeof Point.type | ReturnType<typeof double>['type'],
      count: number,
      isSingle: boolean,
      name: string,
    ) => state.allocations.name(state.allocations.allocate(type, count, isSingle), name);
    named(double().type, 3, false, 'h');
    named(Point.type, 1, true, 'p');
    const { view } = state.arena.memory;
    view.setFloat64(state.allocations.named('h').offsetBytes + 8, 2.5, true);
    const whole = dump(state);
    expect(declarations(state)).to.deep.equal(['double h[3];', 'Point p;']);
    expect(whole).to.contain('\nh = \n    {0, 2.5, 0};\n');

    state.allocations.remove(state.allocations.named('h'));
    named(double().type, 1, true, 'gone');
    load(state, whole.replace('o.id = 1;\n', 'o.id = 1;\no.s.at = &h[1];\n'));
    expect(declarations(state).sort()).to.deep.equal(['Point p;', 'double h[3];']);
    expect([...one.at]).to.deep.equal([2.5, 0]);
    expect(dump(state)).to.contain('o.s.at = &h[1];').and.not.to.contain('gone');
  });

  it('takes no more variables from a file than clients may declare', () => {
    const state = new State();
    const file = Array.from({ length: 2001 }, (_, k) => `double v${k};`).join('\n');
    expect(() => load(state, file)).to.throw('line 2001: with v2000 there are more than 2000 variables');
    expect(() => load(state, 'double v[9000000];')).to.throw('more than');
    expect(state.allocations.ownCount).to.equal(0);
  });

  it('skips what is declared and has no counterpart, and says what it was', () => {
    const state = new State();
    const x = state.addObject('o').component('x', double());
    const { skipped } = load(
      state,
      'double trick[2];\nTrick::IPPythonEvent e1[1];\nstd::map<int, double> m;\no.x = 7;\ne1[0].name = "e1";\ne1[0].cond[2].fired = true;\n',
    );
    expect(x.value).to.equal(7);
    expect(skipped).to.deep.equal(['double trick', 'Trick::IPPythonEvent e1', 'std::map<int, double> m']);
  });

  it('reads what Trick writes for a pointer that it cannot save, and its numbers in hexadecimal', () => {
    const state = new State();
    const S = struct('S', { at: pointer(double()), all: array(pointer(double()), 2), x: double(), f: double(2) });
    const one = state.addObject('o').component('s', S, { at: [1] });
    load(
      state,
      [
        'clear_all_vars();',
        'o.s.at = ERROR - Pointer not in Trick managed memory;',
        'o.s.all = \n    {&o.s.x, NULL /*ERROR: # asterisks disagree.*/};',
        'o.s.x = 0g3ff8000000000000;',
        'o.s.f = {0gc000000000000000, 1};',
      ].join('\n'),
    );
    expect([one.at.at(0), one.x, [...one.f]]).to.deep.equal([0, 1.5, [-2, 1]]);
  });
});

describe('the flags of checkpoints', () => {
  const S = struct('S', {
    both: double(),
    shown: double({ access: 'read-only', checkpointIo: '*o' }),
    note: text(9, { checkpointIo: '*o' }),
    cleared: double({ checkpointIo: '*i' }),
    neither: double({ checkpointIo: '**' }),
    state: double({ access: 'read-only' }),
    command: double({ access: 'write-only' }),
    texts: vector(text(9), 2, { checkpointIo: '*o' }),
  });
  const values = { both: 1, shown: 2, note: 'a*/b', cleared: 3, neither: 4, state: 5, command: 6, texts: ['b'] };

  it('write what is saved, and as a comment what is only shown', () => {
    const state = new State();
    state.addObject('o').component('s', S, values);
    expect(assignments(state)).to.equal(
      [
        'o.name = "o";',
        'o.id = 1;',
        'o.s.both = 1;',
        '/* OUTPUT-ONLY: o.s.shown = 2;*/',
        '/* OUTPUT-ONLY: o.s.note = "a*\\057b";*/',
        'o.s.state = 5;',
        'o.s.command = 6;',
        '/* OUTPUT-ONLY: // STL: o.s.texts*/',
        '',
        'o_s_texts = \n    {"b"};',
        '',
        '',
      ].join('\n'),
    );
  });

  it('clear on loading what is not saved, and leave alone what is not restored', () => {
    const state = new State();
    const one = state.addObject('o').component('s', S, values);
    const file = dump(state);
    Object.assign(one, { both: 10, shown: 20, cleared: 30, neither: 40, state: 50, command: 60 });
    one.texts.replace(['c']);
    load(state, file);
    expect([one.both, one.shown, one.cleared, one.neither]).to.deep.equal([1, 20, 0, 40]);
    expect([one.state, one.command]).to.deep.equal([5, 6]);
    expect([...one.texts]).to.deep.equal(['c']);
    load(state, 'o.s.shown = 9;\no.s.neither = 9;\no.s.cleared = 9;\n');
    expect([one.both, one.shown, one.cleared, one.neither]).to.deep.equal([0, 20, 9, 40]);
  });

  it('show a mirror without a setter, which nothing can put back', () => {
    const state = new State();
    let level = 1;
    state.addObject('tank').mirror('level', double(), { get: () => level });
    state.pullMirrors();
    const file = dump(state);
    expect(file).to.contain('/* OUTPUT-ONLY: tank.level = 1;*/');
    level = 2;
    state.pullMirrors();
    load(state, file);
    expect(dump(state)).to.contain('tank.level = 2;');
  });

  it('of a whole hold for its parts', () => {
    const state = new State();
    const Outer = struct('Outer', { inner: array(S, 2, { checkpointIo: '**' }) });
    const one = state.addObject('o').component('s', Outer);
    one.inner[1].both = 7;
    const file = dump(state);
    expect(file).not.to.contain('both');
    load(state, file);
    expect(one.inner[1].both).to.equal(7);
  });
});
