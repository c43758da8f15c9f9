// What a step costs: a Kepler orbit by each method, and forty thermal nodes in structures.
import { Integrator, type IntegratorOptions } from './integrator.js';
import { METHOD_NAMES } from './methods.js';

const STEPS = 20_000;

function measure(what: string, integrator: Integrator): void {
  const run = (from: number): void => {
    for (let i = 0; i < STEPS; i++) integrator.advance((from + i) / 100, (from + i + 1) / 100);
  };
  run(0);
  const startMillis = performance.now();
  run(STEPS);
  const micros = (1000 * (performance.now() - startMillis)) / STEPS;
  console.log(`${what.padEnd(34)} ${micros.toFixed(2).padStart(8)} us a step`);
}

function orbit(options: IntegratorOptions): Integrator {
  const body = { position: Float64Array.of(1, 0, 0), velocity: Float64Array.of(0, 1, 0) };
  const { position, velocity } = body;
  const rates = () => {
    const [x = 0, y = 0, z = 0] = position;
    const pull = -1 / Math.hypot(x, y, z) ** 3;
    return { position: velocity, velocity: [pull * x, pull * y, pull * z] };
  };
  return new Integrator(body, rates, options);
}

for (const method of METHOD_NAMES) measure(`orbit, ${method}`, orbit({ method }));
const event = { value: () => 1, happen: () => undefined };
measure('orbit, rk4, one event', orbit({ method: 'rk4', events: [event] }));

const nodes = Array.from({ length: 40 }, (_, index) => ({ temperature: index }));
const cooling = () => nodes.map(({ temperature }) => ({ temperature: -temperature / 100 }));
measure('forty structures, rk4', new Integrator(nodes, cooling, { method: 'rk4' }));
