// A lander over the Moon: six degrees of freedom, an engine, eight jets, and forty thermal nodes from nozzle to cabin.
//   varwire run build/sims/lander.js
import { array, bool, double, enumeration, simulation, struct } from 'varwire';

const GRAVITY = 1.62; // m/s2
const THRUST = 45_000; // N, of the engine at full throttle
const EXHAUST = 3050; // m/s
const DRY_MASS = 6800; // kg
const INERTIA = [22_000, 22_000, 18_000] as const; // kg m2
const JET = 450; // N, up or down at each corner
const JET_FLOW = 0.15; // kg/s
const [NODES, CAPACITY, CONDUCTANCE, RADIATION, PLUME] = [40, 9000, 25, 2.3e-9, 20_000]; // J/K, W/K, W/K4, W

type Vector = { readonly 0: number; readonly 1: number; readonly 2: number };
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): [number, number, number] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The torque of a jet at each corner, upwards and downwards. */
const JETS: readonly Vector[] = [
  [2, 2],
  [2, -2],
  [-2, 2],
  [-2, -2],
].flatMap(([x = 0, y = 0]) => [cross([x, y, 0], [0, 0, JET]), cross([x, y, 0], [0, 0, -JET])]);

const Mode = enumeration('Mode', ['BRAKE', 'APPROACH', 'ABORT', 'LANDED', 'CRASHED']);
const Node = struct('ThermalNode', { temperature: double({ units: 'K' }) });

export default simulation({ name: 'lander', frame: 0.02 }, (sim) => {
  const lander = sim.object('lander').components(
    {
      mode: Mode,
      position: double(3, { units: 'm', about: 'x and y along the ground, z up' }),
      velocity: double(3, { units: 'm/s' }),
      attitude: double(4, { about: 'body to ground, scalar first' }),
      rate: double(3, { units: 'rad/s', about: 'in body axes' }),
      fuel: double({ units: 'kg', min: 0 }),
      throttle: double({ about: 'of the engine', min: 0, max: 1 }),
      jets: bool(8, { about: 'at each corner: up, down' }),
      altitude: double({ units: 'm', about: 'as the radar measures it' }),
      speed: double({ units: 'm/s', about: 'of the descent close to the ground', min: 0.5, max: 3 }),
      touchdown: double({ units: 's', about: 'when it came to the ground' }),
      nodes: array(Node, NODES),
    },
    {
      position: [-900, 120, 1500],
      velocity: [35, -4, -30],
      attitude: [1, 0, 0, 0],
      fuel: 2000,
      speed: 1,
      nodes: (index) => ({ temperature: 300 - index / 4 }),
    },
  );
  const { position, velocity, attitude, rate, jets, nodes } = lander;
  const radar = sim.random('radar');
  const isDown = (): boolean => lander.mode === 'LANDED' || lander.mode === 'CRASHED';
  const mass = (): number => DRY_MASS + lander.fuel;

  /** The body's axis of the engine, seen from the ground. */
  const up = (): [number, number, number] => {
    const [w, x, y, z] = attitude;
    return [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
  };

  function rates() {
    if (isDown()) return { nodes: warming(0) };
    const thrust = lander.throttle * THRUST;
    const firing = JETS.filter((_, jet) => jets[jet]);
    const torque = [0, 1, 2].map((axis) => firing.reduce((sum, jet) => sum + jet[axis as 0], 0));
    const gyro = cross(rate, [INERTIA[0] * rate[0], INERTIA[1] * rate[1], INERTIA[2] * rate[2]]);
    const [w, x, y, z] = attitude;
    const [p, q, r] = rate;
    return {
      position: velocity,
      velocity: up().map((along, axis) => (thrust * along) / mass() - (axis === 2 ? GRAVITY : 0)),
      attitude: [-x * p - y * q - z * r, w * p + y * r - z * q, w * q + z * p - x * r, w * r + x * q - y * p].map(
        (d) => d / 2,
      ),
      rate: INERTIA.map((inertia, axis) => ((torque[axis] ?? 0) - gyro[axis as 0]) / inertia),
      fuel: -thrust / EXHAUST - JET_FLOW * firing.length,
      nodes: warming(PLUME * lander.throttle),
    };
  }

  const warming = (plume: number) =>
    nodes.map(({ temperature }, index) => {
      const [before, after] = [nodes.at(Math.max(0, index - 1)), nodes.at(Math.min(NODES - 1, index + 1))];
      const conducted = CONDUCTANCE * (before.temperature - 2 * temperature + after.temperature);
      return { temperature: (conducted - RADIATION * temperature ** 4 + (index === 0 ? plume : 0)) / CAPACITY };
    });

  const touchdown = { name: 'touchdown', value: () => position[2], direction: 'falling' as const, happen: land };
  const dry = { name: 'dry', value: () => lander.fuel, direction: 'falling' as const, happen: shutDown };
  sim.integrate(lander, rates, { method: 'rk4', normalize: [attitude], events: [touchdown, dry] });

  function shutDown(): void {
    Object.assign(lander, { throttle: 0, fuel: Math.max(0, lander.fuel) });
    for (let jet = 0; jet < JETS.length; jet++) jets[jet] = false;
  }

  function land(time: number): void {
    const isSoft = velocity[2] > -3 && Math.hypot(velocity[0], velocity[1]) < 1 && up()[2] > 0.97;
    shutDown();
    Object.assign(lander, { mode: isSoft ? 'LANDED' : 'CRASHED', touchdown: time });
    sim.say(`${lander.mode} after ${time.toFixed(2)} s with ${lander.fuel.toFixed(0)} kg of fuel`);
  }

  sim.job(0.1, () => Object.assign(lander, { altitude: position[2] + radar.normal(0, 0.2) }), { class: 'sensor' });

  sim.job(0.1, function guide() {
    if (isDown() || lander.fuel <= 0) return;
    if (lander.mode === 'BRAKE' && lander.altitude < 150) lander.mode = 'APPROACH';
    const descent = lander.mode === 'ABORT' ? -30 : lander.speed + Math.max(0, lander.altitude) / 25;
    const push = GRAVITY + 0.5 * (-descent - velocity[2]);
    lander.throttle = Math.min(1, Math.max(0, (mass() * push) / THRUST / Math.max(0.5, up()[2])));
    // The jets turn the engine's axis against the drift over the ground.
    const wanted: Vector = [-0.1 * velocity[0], -0.1 * velocity[1], GRAVITY];
    const turn = cross(up(), wanted);
    const demand = [turn[0] - 6 * rate[0], turn[1] - 6 * rate[1], 0] as const;
    for (const [jet, torque] of JETS.entries()) jets[jet] = dot(torque, demand) > 0.1 * JET;
  });

  sim.function('abort', { takes: {}, about: 'climbs away' }, () => {
    if (!isDown()) lander.mode = 'ABORT';
  });
});
