// A small simulation's state with every kind of type, for the tests of this folder.
import { Catalog } from '../../model/catalog.js';
import {
  array,
  bits,
  bool,
  char,
  charPointer,
  chars,
  deque,
  describe as described,
  double,
  enumeration,
  float,
  int,
  long,
  longLong,
  pointer,
  short,
  stdArray,
  struct,
  text,
  unsignedChar,
  unsignedInt,
  unsignedLong,
  unsignedShort,
  vector,
  widePointer,
} from '../../model/declare.js';
import { State } from '../../model/state.js';

export const Phase = enumeration('FlightPhase', { STANDBY: 0, ASCENT: 1, COAST: 2, ENTRY: 7 });

export const Sensor = struct('Sensor', {
  reading: double({ units: 'degC', about: 'what it measures' }),
  id: int(),
  label: chars(12),
  ok: bool(),
});

export const Flags = struct('Flags', {
  lo: bits(3, { declaredAs: 'unsigned char' }),
  mid: bits(9, { signed: true }),
  hi: bits(12),
});

export const Vehicle = struct('Vehicle', {
  position: double(3, { units: 'm' }),
  attitude: double([2, 2], { units: 'rad' }),
  sensor: Sensor,
  sensors: array(Sensor, 2),
  spare: pointer(Sensor),
  phase: Phase,
});

export const Fixture = struct('Fixture', {
  c: char(),
  uc: unsignedChar(),
  s: short(),
  us: unsignedShort(),
  i: int({ units: 'm' }),
  ui: unsignedInt(),
  l: long(),
  ul: unsignedLong(),
  ll: longLong(),
  f: float(),
  d: double({ units: 'm' }),
  t: bool(),
  phase: Phase,
  d3: double(3, { units: 'm' }),
  d23: double([2, 3]),
  i222: int([2, 2, 2]),
  b3: bool(3),
  uc4: unsignedChar(4),
  ll2: longLong(2),
  phases: array(Phase, 3),
  name: chars(16),
  names: chars([2, 8]),
  str: text(40),
  strs: array(text(10), 2),
  cp: charPointer(20),
  wp: widePointer(20),
  flags: Flags,
  vehicle: Vehicle,
  dyn: pointer(double({ units: 'm' })),
  dyn_sensors: pointer(Sensor),
  null_dyn: pointer(double()),
  vd: vector(double(), 5),
  vb: vector(bool(), 4),
  vs: vector(text(10), 3),
  qf: deque(float(), 3),
  as: stdArray(short(), 3),
  vsen: vector(Sensor, 3),
  no_input: described(int(), { access: 'read-only' }),
  no_output: described(int(), { access: 'write-only' }),
});

/** The state, the view of `fx.all` in it, and ways to a catalog of the moment. */
export function fixture() {
  const state = new State();
  const fx = state.addObject('fx', { typeName: 'FixtureSimObject' });
  const all = fx.component('all', Fixture, {
    c: 65,
    ui: 4_000_000_000,
    ll: -9_007_199_254_740_993n,
    ul: 18_446_744_073_709_551_615n,
    d: -2.25,
    t: true,
    phase: 'ENTRY',
    d3: [0.5, 1, 1.5],
    d23: [
      [0.5, 1.5, 2.5],
      [10.5, 11.5, 12.5],
    ],
    i222: [
      [
        [0, 1],
        [10, 11],
      ],
      [
        [100, 101],
        [110, 111],
      ],
    ],
    b3: [true, false, true],
    uc4: [65, 66, 67, 68],
    ll2: [-1n, 9_223_372_036_854_775_807n],
    phases: ['STANDBY', 2, 'ENTRY'],
    name: 'Orion',
    names: ['alpha', 'beta'],
    str: 'plain text',
    strs: ['first', 'second'],
    cp: 'pointed',
    wp: null,
    flags: { lo: 5, mid: -200, hi: 3000 },
    vehicle: {
      position: [1, 2, 3],
      phase: 'ASCENT',
      sensors: [
        { reading: -40, id: 2, label: 'star', ok: true },
        { reading: 100, id: 3, label: 'gps' },
      ],
    },
    dyn: [11, 22, 33],
    dyn_sensors: [
      { reading: 1.25, id: 10, label: 'd0', ok: true },
      { reading: 2.25, id: 11, label: 'd1' },
    ],
    vd: [1.1, 2.2, 3.3],
    vb: [true, false, true],
    vs: ['one', 'two'],
    qf: [0.5, 1.5],
    as: [-1, -2, -3],
    vsen: [
      { reading: 5, id: 20, label: 'v0' },
      { reading: 6, id: 21, label: 'v1' },
    ],
    no_input: 500,
    no_output: 1000,
  });
  all.vehicle.spare.pointTo(all.vehicle.sensors[1]);
  const catalog = (): Catalog => new Catalog(state.describe());
  return { state, fx, all, catalog, memory: state.arena.memory };
}
