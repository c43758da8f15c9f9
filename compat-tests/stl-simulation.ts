// A simulation of the types that C++ has besides numbers, texts and sequences, for tests on every wire.
import {
  double,
  enumeration,
  int,
  map,
  pair,
  set,
  simulation,
  struct,
  text,
  wideChar,
  wideChars,
  wideText,
} from '../lib/index.js';

const Small = enumeration('Small', { LOW: 0, HIGH: 200 }, { storedAs: 'unsigned char' });
const Stl = struct('Stl', {
  ids: set(int(), 8, { about: 'set of ids' }),
  gains: map(text(8), double(), 4),
  span: pair(double({ units: 'm' }), int()),
  wide: wideText(32),
  name: wideChars(8),
  letter: wideChar(),
  small: Small,
});

export default simulation({ name: 'SIM_stl', frame: 0.01 }, (sim) => {
  sim.object('o').component('s', Stl, {
    ids: [9, 2],
    gains: [
      ['yaw', 2],
      ['pitch', 1],
    ],
    span: [2.5, 7],
    wide: 'été →',
    name: '€a',
    letter: 0x20ac,
    small: 'HIGH',
  });
});
