// A simulation with all kinds of variables and functions, for the tests of kRPC's services.
import {
  array,
  bits,
  bool,
  char,
  charPointer,
  chars,
  describe,
  double,
  enumeration,
  float,
  int,
  long,
  pointer,
  simulation,
  struct,
  text,
  unsignedInt,
  unsignedLong,
  vector,
} from '../../lib/index.js';

const Phase = enumeration('Phase', { IDLE: 0, HEATING: 1, COOLING: 7 });
const Sensor = struct('Sensor', { label: chars(16), reading: double({ units: 'K', about: 'what it measures' }) });
const Tank = struct('Tank', {
  fill_level: double({ units: 'm', about: 'above the bottom' }),
  small: float(),
  count: int(),
  unsigned_count: unsignedInt(),
  total: long(),
  huge: unsignedLong(),
  is_open: bool(),
  flags: bits(3),
  phase: Phase,
  label: text(20),
  note: charPointer(20),
  letter: char(),
  matrix: double([2, 3]),
  spare: vector(double(), 8),
  serial: describe(int(), { access: 'read-only' }),
  secret: describe(int(), { access: 'write-only' }),
  main: Sensor,
  sensors: array(Sensor, 2),
  extra: vector(Sensor, 4),
  nearest: pointer(Sensor),
  lengths: pointer(double()),
});
const Point = struct('Point', { x: double(), y: double(), phase: Phase });

export default simulation({ name: 'the plant', frameSeconds: 0.01 }, (sim) => {
  const tank = sim.object('north').component('tank', Tank, {
    fill_level: 1.5,
    total: -5_000_000_000n,
    huge: 18_000_000_000_000_000_000n,
    phase: 'HEATING',
    label: 'Nord',
    note: null,
    matrix: [
      [1, 2, 3],
      [4, 5, 6],
    ],
    spare: [7, 8],
    serial: 99,
    main: { label: 'top', reading: 300 },
    sensors: [
      { label: 'a', reading: 1 },
      { label: 'b', reading: 2 },
    ],
    extra: [{ label: 'c', reading: 3 }],
  });
  sim.object('south').component('tank', Tank, { label: 'Süd' });
  const steps = sim.object('clock').component('steps', int());
  const still = sim.object('still').component('value', double(), 5);
  const many = sim.object('many');
  const ramps = many.component('ramps', double(450));
  many.component('large', double(20_000));

  sim.job(0.01, function step() {
    steps.value++;
    for (let k = 0; k < ramps.length; k++) ramps[k] = steps.value + k;
  });
  sim.function(
    'refill',
    { takes: { level: double({ units: 'm', about: 'the new level' }) }, about: 'fills <north>' },
    ({ level }) => {
      if (level > 10) throw new Error('the tank is not that high');
      tank.fill_level = level;
    },
  );
  sim.function('dyn.tank.mirror', { takes: { at: Point, names: vector(text(8), 4) }, gives: Point }, ({ at }) => ({
    x: -at.x,
    y: at.y,
    phase: at.phase,
  }));
  sim.function(
    'add_up',
    { takes: { of: double(3) }, gives: double() },
    ({ of }) => of[0] + of[1] + of[2] + still.value,
  );
  sim.function('untyped', () => 1);
});
