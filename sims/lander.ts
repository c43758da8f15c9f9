// A lander over the Moon: six degrees of freedom, an engine, eight jets, and forty thermal nodes from nozzle to cabin.
//   varwire run sims/lander
import { array, bool, double, enumeration, simulation, struct } from 'varwire';

const GRAVITY = 1.62; // m/s2
const MOON_RADIUS = 1_737_400; // m
const THRUST = 45_000; // N, of the engine at full throttle
const EXHAUST = 3050; // m/s
const DRY_MASS = 6800; // kg
const [INERTIA_XY, INERTIA_Z] = [22_000, 18_000]; // kg m2
const JET = 450; // N, up or down at each corner
const JET_FLOW = 0.15; // kg/s
const NODES = 40;
const [CAPACITY, CONDUCTANCE, RADIATION, PLUME] = [9000, 25, 2.3e-9, 20_000]; // J/K, W/K, W/K4, W

type Vector = readonly [number, number, number];
type Triple = Readonly<Record<0 | 1 | 2, number>>;
const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sum = (a: Triple, b: Triple, k = 1): Vector => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const cross = (a: Triple, b: Triple): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The torques of the jets: at each corner one that pushes up and one that pushes down. */
const torquesAt = (x: number, y: number) => [JET, -JET].map((force) => cross([x, y, 0], [0, 0, force]));
const JETS = [torquesAt(2, 2), torquesAt(2, -2), torquesAt(-2, 2), torquesAt(-2, -2)].flat();

const Mode = enumeration('Mode', ['BRAKE', 'APPROACH', 'ABORT', 'LANDED', 'CRASHED']);
const Node = struct('ThermalNode', { temperature: double({ units: 'K' }) });

export default simulation({ name: 'lander', frameSeconds: 0.02 }, (sim) => {
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
  const moon = sim.object('moon').components(
    {
      position: double(3, { units: 'm', about: "of its centre, as the lander's" }),
      attitude: double(4, { about: 'to the ground, scalar first: the site is at 0 N 0 E, its x axis goes south' }),
    },
    { position: [0, 0, -MOON_RADIUS], attitude: [Math.SQRT1_2, 0, -Math.SQRT1_2, 0] },
  );
  sim.pose('moon', { ...moon, body: { radius: MOON_RADIUS } });
  sim.pose('lander', { position, attitude, shape: { kind: 'cylinder', radius: 2, length: 4, color: '#c9a227' } });
  const radar = sim.random('radar');
  const isDown = (): boolean => lander.mode === 'LANDED' || lander.mode === 'CRASHED';
  const mass = (): number => DRY_MASS + lander.fuel;

  /** The axis of the engine, seen from the ground. */
  const up = (): Vector => {
    const [w, x, y, z] = attitude;
    return [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
  };

  function rates() {
    if (isDown()) return { nodes: warming(0) };
    const thrust = lander.throttle * THRUST;
    const firing = JETS.filter((_, jet) => jets[jet]);
    const torque = firing.reduce<Vector>((all, jet) => sum(all, jet), [0, 0, 0]);
    const [w, x, y, z] = attitude;
    const [p, q, r] = rate;
    const turning = sum(torque, cross(rate, [INERTIA_XY * p, INERTIA_XY * q, INERTIA_Z * r]), -1);
    const attitudeRate = [-x * p - y * q - z * r, w * p + y * r - z * q, w * q + z * p - x * r, w * r + x * q - y * p];
    return {
      position: velocity,
      velocity: sum([0, 0, -GRAVITY], up(), thrust / mass()),
      attitude: attitudeRate.map((part) => part / 2),
      rate: [turning[0] / INERTIA_XY, turning[1] / INERTIA_XY, turning[2] / INERTIA_Z],
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
    const demand = sum(cross(up(), wanted), rate, -6);
    for (const [jet, torque] of JETS.entries()) jets[jet] = dot(torque, demand) > 0.1 * JET;
  });

  sim.function('abort', { takes: {}, about: 'climbs away' }, () => {
    if (!isDown()) lander.mode = 'ABORT';
  });
});
