// A simulation for clients of Bevy's protocol: ships below a fleet, and pulses whose numbers change together at 60 Hz.
import { double, enumeration, simulation, struct, text } from '../../lib/index.js';

const PULSES = 10;
const WIDTH = 16;

const Position = struct('Position', {
  x: double({ units: 'm' }),
  y: double({ units: 'm' }),
  z: double({ units: 'm' }),
});
const Rudder = struct('Rudder', {
  angle: double({ units: 'rad' }),
  side: enumeration('Side', { PORT: 0, STARBOARD: 1 }),
});
const Pulse = struct('Pulse', { beats: double(WIDTH), last: double() });

export default simulation({ name: 'fleet', frameSeconds: 1 / 64 }, (sim) => {
  const Placed = sim.type(Position, { name: 'server::Position' });
  sim.type(struct('Beacon', {}));
  sim.type(struct('Description', { 0: text(64) }), { name: 'server::Description' });
  sim.type(struct('Fuel', { 0: double({ units: 'kg' }) }));
  const fleet = sim.object('armada');
  for (const [index, name] of ['santa_maria', 'nina', 'pinta'].entries()) {
    const ship = sim.object(name, { parent: fleet });
    ship.component('position', Placed, { x: index, y: 2 * index, z: 0 });
  }
  const rudder = sim.object('helm', { parent: fleet }).component('rudder', Rudder, { angle: 0.1, side: 'PORT' });
  const pulses = Array.from({ length: PULSES }, (_, index) => sim.object(`pulse_${index}`).component('pulse', Pulse));
  sim.job(1 / 64, function beat() {
    for (const pulse of pulses) {
      for (let k = 0; k < WIDTH; k++) pulse.beats[k as 0]++;
      pulse.last++;
    }
  });
  sim.function(
    'steer',
    { takes: { angle: double({ units: 'rad' }) }, gives: double(), about: 'turns the rudder' },
    ({ angle }) => {
      rudder.angle = angle;
      sim.say(`the rudder is at ${angle} rad`);
      return rudder.angle;
    },
  );
});
