// A space station on a two-body orbit round the Earth, one side always down, with its clock in TAI.
//   varwire run sims/satellite
import { double, simulation, struct } from 'varwire';

const EARTH_MU = 3.986004415e14; // m3/s2
const EARTH_RADIUS = 6_378_137; // m
const RADIUS = EARTH_RADIUS + 400_000; // m from the centre of the Earth
const TILT = 0.9; // rad from the equator to the orbit
const TAI_AT_START = 1_893_456_037; // s, 2030-01-01 00:00:00 UTC counted from 1970
const DAYS_AT_START = 10_957.5; // since 2000-01-01 12:00
const AXES = [0, 1, 2] as const;

// One structure per subject: clients read vehicle.iss.translational.position[0], vehicle.iss.attitude.quaternion ...
const Vehicle = struct('Vehicle', {
  translational: struct('Translational', {
    position: double(3, { units: 'm', about: 'inertial, from the centre of the Earth' }),
    velocity: double(3, { units: 'm/s', about: 'inertial' }),
  }),
  attitude: struct('Attitude', { quaternion: double(4, { units: '1', about: 'body to inertial, scalar first' }) }),
  angular_velocity: double(3, { units: 'rad/s', about: 'in body axes' }),
  gravity: struct('Gravity', { acceleration: double(3, { units: 'm/s2', about: 'inertial' }) }),
  mass: struct('Mass', { total: double({ units: 'kg' }) }),
});
const Planet = struct('Planet', {
  mu: double({ units: 'm3/s2' }),
  position: double(3, { units: 'm', about: 'inertial' }),
  attitude: double(4, { about: 'Earth-fixed to inertial, scalar first' }),
});
const Environment = struct('Environment', { earth: Planet });

const clock = { label: 'TAI', seconds: (elapsed: number) => TAI_AT_START + elapsed };

export default simulation({ name: 'satellite', frameSeconds: 0.1, clock }, (sim) => {
  const speed = Math.sqrt(EARTH_MU / RADIUS);
  const { earth } = sim.object('env').component('gravity', Environment, { earth: { mu: EARTH_MU } });
  const iss = sim.object('vehicle').component('iss', Vehicle, {
    translational: { position: [RADIUS, 0, 0], velocity: [0, speed * Math.cos(TILT), speed * Math.sin(TILT)] },
    attitude: { quaternion: [Math.cos(TILT / 2), Math.sin(TILT / 2), 0, 0] },
    angular_velocity: [0, 0, speed / RADIUS],
    mass: { total: 420_000 },
  });
  const { position, velocity } = iss.translational;
  const { acceleration } = iss.gravity;
  const { quaternion } = iss.attitude;

  const attract = () => {
    const radius = Math.hypot(...position);
    for (const axis of AXES) acceleration[axis] = (-earth.mu * position[axis]) / radius ** 3;
  };
  const rotate = () => {
    const turns = 0.779057273264 + 1.00273781191135 * (DAYS_AT_START + sim.timeSeconds / 86_400); // IAU 2000
    earth.attitude.set([Math.cos(Math.PI * turns), 0, 0, Math.sin(Math.PI * turns)]);
  };
  attract();
  rotate();
  sim.pose('earth', { position: earth.position, attitude: earth.attitude, body: { radius: EARTH_RADIUS } });
  sim.pose('iss', { position, attitude: quaternion, shape: { kind: 'box', size: [20, 73, 109] } });

  sim.job(0.1, rotate, { class: 'environment' });
  sim.job(0.1, function orbit(dt) {
    // Half a kick, a drift, half a kick: this integration keeps the energy of the orbit.
    for (const axis of AXES) velocity[axis] += (acceleration[axis] * dt) / 2;
    for (const axis of AXES) position[axis] += velocity[axis] * dt;
    attract();
    for (const axis of AXES) velocity[axis] += (acceleration[axis] * dt) / 2;
  });
  sim.job(0.1, function turn(dt) {
    const [w, x, y, z] = quaternion;
    const [p, q, r] = iss.angular_velocity;
    const rates = [-x * p - y * q - z * r, w * p + y * r - z * q, w * q + z * p - x * r, w * r + x * q - y * p];
    const turned = quaternion.map((part, i) => part + ((rates[i] ?? 0) * dt) / 2);
    quaternion.set(turned.map((part) => part / Math.hypot(...turned)));
  });
});
