// A bouncing ball: dropped from 10 m, it keeps 0.8 of its speed at each bounce, and is thrown up again when it is slow.
//   varwire run sims/ball
import { double, simulation } from 'varwire';

const GRAVITY = 9.81; // m/s2
const RESTITUTION = 0.8;
const SLOW = 1; // m/s
const THROW = 11.2; // m/s, 6.4 m high

/** What a client with types knows of it: `TrickClient<typeof ball>`. */
interface Ball {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
}

export default simulation<{ readonly ball: Ball }>({ name: 'ball', frameSeconds: 0.01 }, (sim) => {
  const ball = sim.object('ball');
  // `component` returns the state itself: clients read and write the same numbers as this code.
  const position = ball.component('position', double(2, { units: 'm', about: 'x to the right, y up' }), [0, 10]);
  const velocity = ball.component('velocity', double(2, { units: 'm/s' }), [0, 0]);

  sim.job(0.01, function fall(dt) {
    velocity[1] -= GRAVITY * dt;
    position[0] += velocity[0] * dt;
    position[1] += velocity[1] * dt;
    if (position[1] < 0) {
      position[1] = 0;
      velocity[1] *= -RESTITUTION;
      // A slow ball is thrown up again, so that there is always something to see.
      if (velocity[1] < SLOW) velocity[1] = THROW;
    }
  });

  // A client calls this as trick.kick(3, 5) or trick.kick(vx=3, vy=5); arguments that do not fit are refused before.
  const takes = { vx: double({ units: 'm/s', about: 'to the right' }), vy: double({ units: 'm/s', about: 'up' }) };
  sim.function('kick', { takes, about: 'adds to the velocity' }, ({ vx, vy }) => {
    velocity[0] += vx;
    velocity[1] += vy;
  });
  return { ball: { position, velocity } };
});
