// The cannon of Trick's tutorial: a ball leaves the barrel at an angle and flies until it hits the ground.
//   varwire run sims/cannon     it waits in freeze until a client fires it: trick.exec_run()
import { double, int, simulation, struct } from 'varwire';

const GRAVITY = 9.81; // m/s2

const Cannon = struct('CANNON', {
  vel0: double(2, { units: 'm/s', about: 'velocity at the muzzle' }),
  pos0: double(2, { units: 'm', about: 'position of the muzzle' }),
  init_speed: double({ units: 'm/s', about: 'speed at the muzzle' }),
  init_angle: double({ units: 'rad', about: 'elevation of the barrel' }),
  acc: double(2, { units: 'm/s2' }),
  vel: double(2, { units: 'm/s' }),
  pos: double(2, { units: 'm' }),
  time: double({ units: 's', about: 'time of flight' }),
  impact: int({ about: '1 once the ball has hit the ground' }),
  impactTime: double({ units: 's', about: 'time of flight at impact' }),
});

export default simulation({ name: 'cannon', frameSeconds: 0.01, startFrozen: true }, (sim) => {
  const initial = { init_speed: 50, init_angle: Math.PI / 6 };
  const cannon = sim.object('dyn').component('cannon', Cannon, initial);

  /** Puts the ball back into the barrel, aimed by init_speed and init_angle. */
  const load = () => {
    cannon.vel0.set([cannon.init_speed * Math.cos(cannon.init_angle), cannon.init_speed * Math.sin(cannon.init_angle)]);
    cannon.vel.set(cannon.vel0);
    cannon.pos.set(cannon.pos0);
    cannon.acc.set([0, -GRAVITY]);
    Object.assign(cannon, { time: 0, impact: 0, impactTime: 0 });
  };
  // After the build and the input file, which may have aimed it.
  sim.job('initialization', load);

  sim.job(0.01, function fly(dt) {
    if (cannon.impact) return;
    cannon.time += dt;
    // Without drag the flight has a formula, so errors do not add up over a long flight.
    const t = cannon.time;
    for (const axis of [0, 1] as const) {
      cannon.vel[axis] = cannon.vel0[axis] + cannon.acc[axis] * t;
      cannon.pos[axis] = cannon.pos0[axis] + (cannon.vel0[axis] + (cannon.acc[axis] * t) / 2) * t;
    }
    if (cannon.pos[1] < 0) land();
  });

  const land = () => {
    // Goes back along the last step, to the moment at which the height was 0.
    const height0 = cannon.pos0[1];
    const [vx, vy] = cannon.vel0;
    const t = (vy + Math.sqrt(vy * vy + 2 * GRAVITY * height0)) / GRAVITY;
    cannon.pos.set([cannon.pos0[0] + vx * t, 0]);
    cannon.vel.fill(0);
    Object.assign(cannon, { time: t, impact: 1, impactTime: t });
  };

  // Clients call it as a function, trick.cannon_init(dyn.cannon), or on the component, dyn.cannon.init().
  sim.function('cannon_init', load, { about: 'loads and aims the cannon again' });
  sim.function('dyn.cannon.init', { takes: {}, about: 'loads and aims the cannon again' }, load);
});
