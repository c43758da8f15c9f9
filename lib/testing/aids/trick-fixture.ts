// For tests: a simulation with a variable of every type, whose values golden answers were recorded from.
import type { FrameHeader } from '../../frame/header.js';
import { Frame } from '../../frame/reader.js';
import { Catalog } from '../../model/catalog.js';
import {
  array,
  bits,
  bool,
  char,
  charPointer,
  chars,
  deque,
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
  unsignedLongLong,
  unsignedShort,
  vector,
  widePointer,
} from '../../model/declare.js';
import { State } from '../../model/state.js';

const Phase = enumeration('FlightPhase', { STANDBY: 0, ASCENT: 1, COAST: 2, ENTRY: 7 });

const Flags = struct('Flags', {
  lo: bits(3, { declaredAs: 'unsigned char' }),
  mid: bits(9, { signed: true }),
  hi: bits(12),
});

const Sensor = struct('Sensor', {
  reading: double({ units: 'degC' }),
  id: int(),
  label: chars(12),
  ok: bool(),
});

const Vehicle = struct('Vehicle', {
  position: double(3, { units: 'm' }),
  velocity: double(3, { units: 'm/s' }),
  attitude: double([2, 2], { units: 'rad' }),
  fuel: float({ units: 'kg' }),
  sensor: Sensor,
  sensors: array(Sensor, 2),
  phase: Phase,
});

const Numbers = {
  c: char(),
  uc: unsignedChar(),
  s: short(),
  us: unsignedShort(),
  i: int({ units: 'm' }),
  ui: unsignedInt(),
  l: long(),
  ul: unsignedLong(),
  ll: longLong(),
  ull: unsignedLongLong(),
  f: float(),
  d: double(),
  t: bool(),
  fa: bool(),
  phase: Phase,
  l_min: long(),
  ul_max: unsignedLong(),
  f_third: float(),
  f_tiny: float(),
  f_big: float(),
  f_nan: float(),
  f_16777217: float(),
  d_third: double(),
  d_tiny: double(),
  d_big: double(),
  d_tenth: double(),
  d_int: double(),
  d_1e15: double(),
  d_1e16: double(),
  d_1e17: double(),
  d_neg0: double(),
  d_nan: double(),
  d_inf: double(),
  d_ninf: double(),
  d_sub: double(),
  d_0001: double(),
  d_00001: double(),
  no_input: int({ access: 'read-only' }),
  no_output: int({ access: 'write-only' }),
};

const NUMBER_VALUES = {
  c: 65,
  uc: 200,
  s: -1234,
  us: 54321,
  i: -123456,
  ui: 4000000000,
  l: -1234567890123n,
  ul: 1234567890123n,
  ll: -9007199254740993n,
  ull: 9007199254740993n,
  f: 1.5,
  d: -2.25,
  t: true,
  fa: false,
  phase: 'ENTRY',
  l_min: -(2n ** 63n),
  ul_max: 2n ** 64n - 1n,
  f_third: 1 / 3,
  f_tiny: 1e-7,
  f_big: 1e20,
  f_nan: Number.NaN,
  f_16777217: 16777216,
  d_third: 1 / 3,
  d_tiny: 1e-300,
  d_big: Number.MAX_VALUE,
  d_tenth: 0.1,
  d_int: 42,
  d_1e15: 1e15,
  d_1e16: 1e16,
  d_1e17: 1e17,
  d_neg0: -0,
  d_nan: Number.NaN,
  d_inf: Number.POSITIVE_INFINITY,
  d_ninf: Number.NEGATIVE_INFINITY,
  d_sub: 5e-324,
  d_0001: 0.0001,
  d_00001: 0.00001,
  no_input: 500,
  no_output: 1000,
} as const;

const Quantities = {
  len: double({ units: 'm' }),
  vel: double({ units: 'm/s' }),
  acc: double({ units: 'm/s2' }),
  mass: double({ units: 'kg' }),
  inertia: double({ units: 'kg*m2' }),
  force: double({ units: 'N' }),
  torque: double({ units: 'N*m' }),
  angle: double({ units: 'rad' }),
  rate: double({ units: 'rad/s' }),
  temp: double({ units: 'degC' }),
  kelvin: double({ units: 'K' }),
  press: double({ units: 'Pa' }),
  dur: double({ units: 's' }),
  power: double({ units: 'W' }),
  ratio: double({ units: '1' }),
  count: int(),
  len_i: int({ units: 'm' }),
  len_f: float({ units: 'm' }),
  len_ui: unsignedInt({ units: 'm' }),
  len_ll: longLong({ units: 'm' }),
  len_arr: double(3, { units: 'm' }),
};

const QUANTITY_VALUES = {
  len: 1234.5,
  vel: 10,
  acc: 9.80665,
  mass: 12.5,
  inertia: 3,
  force: 100,
  torque: 7,
  angle: 0.7853981633974483,
  rate: 0.1,
  temp: 25,
  kelvin: 300,
  press: 101325,
  dur: 3600,
  power: 745.7,
  ratio: 0.5,
  count: 7,
  len_i: 1000,
  len_f: 2.5,
  len_ui: 3000000000,
  len_ll: 4503599627370497n,
  len_arr: [1, 2, 3],
} as const;

const Lists = {
  d3: double(3),
  d23: double([2, 3]),
  i222: int([2, 2, 2]),
  f4: float(4),
  b3: bool(3),
  s3: short(3),
  uc4: unsignedChar(4),
  phases: array(Phase, 3),
  ll2: longLong(2),
  big_i: int(3000),
  big_d: double(600),
  dyn: pointer(double({ units: 'm' })),
  dyn_sensors: pointer(Sensor),
  null_dyn: pointer(double()),
  vd: vector(double(), 8),
  vi: vector(int(), 8),
  vb: vector(bool(), 8),
  vs: vector(text(32), 4),
  qf: deque(float(), 8),
  as: stdArray(short(), 3),
  vsen: vector(Sensor, 4),
  vempty: vector(double(), 4),
};

const floats = Array.from({ length: 4 }, (_, k) => Math.fround(Math.fround(1.1) * (k + 1)));

const LIST_VALUES = {
  d3: [0.1, 0.2, 0.1 * 3],
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
  f4: floats as never,
  b3: [true, false, true],
  s3: [-100, -200, -300],
  uc4: [65, 66, 67, 68],
  phases: ['STANDBY', 'COAST', 'ENTRY'],
  ll2: [-1n, 2n ** 63n - 1n],
  big_i: Array.from({ length: 3000 }, (_, k) => 100000 + k),
  big_d: Array.from({ length: 600 }, (_, k) => k / 7),
  dyn: [11, 22, 33],
  dyn_sensors: [
    { reading: 1.25, id: 10, label: 'd0', ok: true },
    { reading: 2.25, id: 11, label: 'd1', ok: false },
  ],
  vd: [1.1, 2.2, 3.3],
  vi: [10, 20, 30],
  vb: [true, false, true],
  vs: ['one', 'two'],
  qf: [0.5, 1.5],
  as: [-1, -2, -3],
  vsen: [
    { reading: 5, id: 20, label: 'v0', ok: true },
    { reading: 6, id: 21, label: 'v1', ok: false },
  ],
} as const;

const Texts = {
  name: chars(16),
  names: chars([2, 8]),
  str: text(64),
  str_empty: text(64),
  str_ctl: text(64),
  str_utf8: text(64),
  str_quote: text(64),
  strs: array(text(32), 2),
  cp: charPointer(64),
  cp_null: charPointer(64),
  wp: widePointer(64),
  text: chars(9000),
};

const TEXT_VALUES = {
  name: 'Orion',
  names: ['alpha', 'beta'],
  str: 'plain text',
  str_empty: '',
  str_ctl: 'tab\there\nnewline\rcr\x01\x7f bell\x07 back\b ff\f vt\v',
  str_utf8: '\u00e9t\u00e9 \u2192',
  str_quote: 'say "hi" \\ it\'s {ok}',
  strs: ['first', 'second'],
  cp: 'pointed text',
  cp_null: null,
  wp: 'wide text',
  text: Array.from({ length: 8999 }, (_, k) => String.fromCharCode(97 + (k % 26))).join(''),
} as const;

const Fixture = struct('Fixture', {
  ...Numbers,
  ...Quantities,
  ...Lists,
  ...Texts,
  flags: Flags,
  vehicle: Vehicle,
});

const VALUES = {
  ...NUMBER_VALUES,
  ...QUANTITY_VALUES,
  ...LIST_VALUES,
  ...TEXT_VALUES,
  flags: { lo: 5, mid: -200, hi: 3000 },
  vehicle: {
    position: [6778137, 6778138, 6778139],
    velocity: [-7668.5, 0, 7668.5],
    attitude: [
      [0.1, 0.2],
      [0.3, 0.4],
    ],
    fuel: 812.25,
    phase: 'ASCENT',
    sensor: { reading: 21.5, id: 1, label: 'imu', ok: true },
    sensors: [
      { reading: -40, id: 2, label: 'star', ok: true },
      { reading: 100, id: 3, label: 'gps', ok: false },
    ],
  },
} as const;

const HEADER: FrameHeader = {
  number: 1,
  tick: 0,
  timeTics: 0,
  ticsPerSecond: 1_000_000,
  mode: 5,
  reason: 0,
  frameCount: 0,
  freezeFrameCount: 0,
  freezeTimeTics: 0,
  catalogVersion: 1,
  softwareFrameTics: 10000,
  clockSeconds: 0,
  wallMillis: 0,
  overruns: 0,
  freezeFrameTics: 1_000_000,
  terminateTics: Number.POSITIVE_INFINITY,
};

/** The state of object `fx`, and frames of it on demand. */
export function createFixture() {
  const state = new State();
  const fx = state.addObject('fx');
  const all = fx.component('all', Fixture, VALUES as never);
  let number = 0;
  let catalog = new Catalog({ ...state.describe(), functions: [] });
  return {
    state,
    fx,
    all,
    /** The present catalog, as a source shows it. */
    get catalog(): Catalog {
      if (catalog.version !== state.version) catalog = new Catalog({ ...state.describe(), functions: [] });
      return catalog;
    },
    /** A copy of the state as it is now. */
    snapshot(timeTics = 0): Frame {
      const frame = new Frame(state.arena.usedBytes, {
        ...HEADER,
        number: ++number,
        timeTics,
        ticsPerSecond: 1_000_000,
        catalogVersion: state.version,
      });
      frame.memory.bytes.set(state.arena.memory.bytes.subarray(0, state.arena.usedBytes));
      return frame;
    },
  };
}
