// The ball of Trick's first example, with the variables that its display reads: a constant force pulls it to one point.
//   varwire run sims/trick-ball
import { double, simulation, struct } from 'varwire';

const State = struct('BSTATE', {
  input: struct('BSTATE_IN', {
    mass: double({ units: 'kg' }),
    position: double(2, { units: 'm', about: 'where it begins: x to the right, y up' }),
    speed: double({ units: 'm/s' }),
    elevation: double({ units: 'rad', about: 'of the velocity at the beginning' }),
  }),
  output: struct('BSTATE_OUT', {
    position: double(2, { units: 'm' }),
    velocity: double(2, { units: 'm/s' }),
    acceleration: double(2, { units: 'm/s2' }),
    external_force: double(2, { units: 'N' }),
  }),
});
const Force = struct('BFORCE', {
  input: struct('BFORCE_IN', {
    origin: double(2, { units: 'm', about: 'what the ball is pulled to' }),
    force: double({ units: 'N' }),
  }),
});

export default simulation({ name: 'trick_ball', frameSeconds: 0.01 }, (sim) => {
  const ball = sim.object('ball').components(
    { state: State, force: Force },
    {
      state: { input: { mass: 10, position: [5, 5], speed: 3.5, elevation: Math.PI / 4 } },
      force: { input: { origin: [0, 2], force: 8 } },
    },
  );
  const { input, output } = ball.state;
  const pull = ball.force.input;

  // After the build and the input file, which may have set where it begins.
  sim.job('initialization', () => {
    output.position.set(input.position);
    output.velocity.set([input.speed * Math.cos(input.elevation), input.speed * Math.sin(input.elevation)]);
    feel();
  });

  function feel(): void {
    const [x, y] = [pull.origin[0] - output.position[0], pull.origin[1] - output.position[1]];
    const distance = Math.hypot(x, y);
    // At the origin itself there is no direction.
    const each = distance > 0 ? pull.force / distance : 0;
    output.external_force.set([x * each, y * each]);
    for (const axis of [0, 1] as const) output.acceleration[axis] = output.external_force[axis] / input.mass;
  }

  const rates = () => {
    feel();
    return { position: output.velocity, velocity: output.acceleration };
  };
  sim.integrate(output, rates, { method: 'rk4' });
  sim.job(0.01, feel, { class: 'post_integration' });
});
