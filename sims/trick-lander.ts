// A lander as the display of Trick's example flies it: by hand, or by the height and the place that it is told.
//   varwire run sims/trick-lander
import { double, int, simulation, struct } from 'varwire';

const REST = 1.8; // m, the height of its middle on its legs
const MOST_TILT = Math.PI / 6;
const MOST_SPEED = 5; // m/s
const STEADY = 0.002; // rad/s, what the jets do not correct

const Lander = struct('Lander', {
  pos: double(2, { units: 'm', about: 'x to the right, y up' }),
  vel: double(2, { units: 'm/s' }),
  acc: double(2, { units: 'm/s2' }),
  angle: double({ units: 'rad', about: 'to the left' }),
  angleDot: double({ units: 'rad/s' }),
  angleDDot: double({ units: 'rad/s2' }),
  thrust_max: double({ units: 'N' }),
  rcs_torque: double({ units: 'N*m', about: 'of the jets' }),
  mass: double({ units: 'kg' }),
  moment_of_inertia: double({ units: 'kg*m2' }),
  g: double({ units: 'm/s2' }),
  throttle: int({ about: 'of the engine, 0 to 100' }),
  rcs_command: int({ about: '1 turns to the left, -1 to the right' }),
  manual_throttle_change_command: int({ about: 'added to the throttle at each step' }),
  manual_rcs_command: int(),
  altitudeCtrlEnabled: int(),
  downRangeCtrlEnabled: int(),
  x_cmd: double({ units: 'm' }),
  y_cmd: double({ units: 'm' }),
});

const within = (value: number, most: number, least = -most): number => Math.min(most, Math.max(least, value));

export default simulation({ name: 'trick_lander', frameSeconds: 0.1 }, (sim) => {
  const lander = sim.object('dyn').component('lander', Lander, {
    pos: [0, REST],
    thrust_max: 15_000,
    rcs_torque: 50,
    mass: 2000,
    moment_of_inertia: 2000,
    g: 1.62,
    x_cmd: 40,
  });
  const { pos, vel, acc } = lander;

  const feel = () => {
    const push = ((lander.throttle / 100) * lander.thrust_max) / lander.mass;
    acc.set([-push * Math.sin(lander.angle), push * Math.cos(lander.angle) - lander.g]);
    lander.angleDDot = (lander.rcs_command * lander.rcs_torque) / lander.moment_of_inertia;
  };
  const rates = () => {
    feel();
    return { pos: vel, vel: acc, angle: lander.angleDot, angleDot: lander.angleDDot };
  };
  sim.integrate(lander, rates, { method: 'rk4' });

  sim.job(0.1, function control() {
    if (lander.altitudeCtrlEnabled === 1) lander.throttle = throttleFor(lander.y_cmd);
    lander.rcs_command = lander.downRangeCtrlEnabled === 1 ? turnFor(lander.x_cmd) : lander.manual_rcs_command;
    lander.throttle = within(lander.throttle + lander.manual_throttle_change_command, 100, 0);
  });

  /** The throttle that takes it to a height. */
  function throttleFor(height: number): number {
    const speed = within(0.3 * (height - pos[1]), MOST_SPEED);
    const push = (lander.g + 0.8 * (speed - vel[1])) / Math.cos(lander.angle);
    return Math.round(within((100 * push * lander.mass) / lander.thrust_max, 100, 0));
  }

  /** How the jets turn it so that the engine pushes it to a place; upright while that is off. */
  function turnFor(place: number): number {
    const speed = within(0.06 * (place - pos[0]), MOST_SPEED);
    const push = (lander.throttle / 100) * lander.thrust_max;
    const isPushing = lander.throttle >= 10;
    const tilt = isPushing ? -Math.asin(within((0.15 * (speed - vel[0]) * lander.mass) / push, 0.5)) : 0;
    const off = within(tilt, MOST_TILT) - lander.angle;
    // The jets are weak: it may turn only as fast as they can stop it.
    const rate = Math.sign(off) * Math.min(Math.abs(off), Math.sqrt(0.02 * Math.abs(off)));
    return Math.abs(rate - lander.angleDot) < STEADY ? 0 : Math.sign(rate - lander.angleDot);
  }

  sim.job(
    0.1,
    function rest() {
      feel();
      if (pos[1] > REST) return;
      pos[1] = REST;
      vel.fill(0);
      Object.assign(lander, { angle: 0, angleDot: 0 });
    },
    { class: 'post_integration' },
  );
});
