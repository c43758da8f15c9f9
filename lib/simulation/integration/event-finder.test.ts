// Events of integrators: each crossing counts once, by every method and step, near other roots, flat and steep.
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../testing/aids/run-counts.js';
import { type IntegrationEvent, Integrator, type IntegratorOptions } from './integrator.js';
import { METHOD_NAMES, type MethodName } from './methods.js';

interface Counts {
  rises: number;
  sets: number;
  /** Of an event of both directions. */
  both: number;
  /** `r` and `s` in the order of time. */
  order: string;
}

/** Events on one function that count; `then` is what they do besides. */
function counting(value: (t: number) => number, then: () => void = () => undefined) {
  const counts: Counts = { rises: 0, sets: 0, both: 0, order: '' };
  const event = (direction: IntegrationEvent['direction'], count: () => void): IntegrationEvent => ({
    value,
    ...(direction && { direction }),
    happen: () => {
      count();
      then();
    },
  });
  const events = [
    event('rising', () => {
      counts.rises++;
      counts.order += 'r';
    }),
    event('falling', () => {
      counts.sets++;
      counts.order += 's';
    }),
    event(undefined, () => void counts.both++),
  ];
  return { counts, events };
}

function runFor(seconds: number, periodSeconds: number, integrator: Integrator): void {
  const periods = Math.ceil(seconds / periodSeconds);
  for (let i = 0; i < periods; i++) integrator.advance(i * periodSeconds, (i + 1) * periodSeconds);
}

describe('events of an integrator', () => {
  describe('of a satellite that passes over a ground station for a day', () => {
    const GM = 3.986004418e14;
    const EARTH_METERS = 6_378_137;
    const passes = (options: IntegratorOptions, periodSeconds: number, isMoved: boolean): Counts => {
      const radius = EARTH_METERS + 400e3;
      const speed = Math.sqrt(GM / radius);
      const position = Float64Array.of(radius, 0, 0);
      const velocity = Float64Array.of(0, speed * Math.cos(0.9), speed * Math.sin(0.9));
      const height = (t: number): number => {
        const angle = 7.2921159e-5 * t + 0.3;
        const up = [Math.cos(0.84) * Math.cos(angle), Math.cos(0.84) * Math.sin(angle), Math.sin(0.84)];
        return up.reduce((sum, x, i) => sum + x * ((position[i] as number) - EARTH_METERS * x), 0);
      };
      const push = (): void => {
        if (isMoved) velocity[2] = (velocity[2] as number) + 1e-9;
      };
      const { counts, events } = counting(height, push);
      const rates = () => {
        const pull = -GM / Math.hypot(...position) ** 3;
        return { position: velocity, velocity: Array.from(position, (x) => pull * x) };
      };
      runFor(86_400, periodSeconds, new Integrator({ position, velocity }, rates, { ...options, events }));
      return counts;
    };

    it('rises as often as it sets, by every method, also when its events push it', () => {
      for (const method of METHOD_NAMES.filter((name) => name !== 'euler'))
        for (const isMoved of [false, true]) {
          const { rises, sets, both, order } = passes({ method, tolerance: 1e-9 }, 60, isMoved);
          expect([rises, sets, both], `${method} ${order}`).to.deep.equal([rises, rises, 2 * rises]);
          expect(rises, method).to.be.within(5, 8);
        }
    });

    it('rises and sets as often with short steps', () => {
      for (const [method, periodSeconds] of [
        ['rk4', 10],
        ['abm', 10],
        ['nystrom-lear-2', 2],
      ] as const)
        expect(passes({ method }, periodSeconds, false)).to.deep.include({ order: 'rs'.repeat(7), both: 14 });
    });
  });

  it('take every crossing once, and a contact once or never, for functions of all kinds', () => {
    const gap = fc.oneof(
      fc.double({ min: -9, max: -1, noNaN: true }).map((power) => 10 ** power),
      fc.double({ min: 0.05, max: 2, noNaN: true }),
    );
    const root = fc.record({ gap, times: fc.integer({ min: 1, max: 5 }) });
    const given = fc.record({
      method: fc.constantFrom(...METHOD_NAMES),
      periodSeconds: fc.constantFrom(0.03, 0.1, 0.3, 1, 3),
      roots: fc.array(root, { minLength: 1, maxLength: 4 }),
      start: fc.double({ min: -1.5, max: -1e-3, noNaN: true }),
      power: fc.integer({ min: -12, max: 12 }),
      shape: fc.constantFrom<Shape>('product', 'of time', 'tanh', 'atan', 'sign', 'shifted', 'sum'),
      change: fc.constantFrom('nothing', 'another number', 'the rate'),
      offset: fc.constantFrom(0, 1, 1000, 1e6),
    });
    fc.assert(
      fc.property(given, ({ method, periodSeconds, roots, start, power, shape, change, offset }) => {
        // The coefficients of a longer sum leave nothing but round-off over its whole range.
        fc.pre(shape !== 'sum' || placesOf(roots).length <= 10);
        const state = Float64Array.of(offset + start, 0, 1, 0);
        const value = functionOf(shape, placesOf(roots), 10 ** power);
        const valueNow = (t: number): number => value(shape === 'of time' ? t + start : (state[0] as number) - offset);
        const { counts, events } = counting(valueNow, () => {
          if (change === 'another number') state[1] = (state[1] as number) + 1;
          if (change === 'the rate') state[2] = (state[2] as number) * (1 + 1e-14);
        });
        const integrator = new Integrator(state, () => [state[2] as number, state[3] as number, 0, 0], {
          method,
          tolerance: 1e-8,
          events,
        });
        const before = Math.sign(valueNow(0));
        fc.pre(before !== 0);
        runFor(8, periodSeconds, integrator);
        const after = Math.sign(valueNow(Math.ceil(8 / periodSeconds) * periodSeconds));
        expect(counts.rises - counts.sets).to.equal((after - before) / 2);
        expect(counts.order).to.not.match(/rr|ss/);
        expect(counts.both).to.be.at.most(roots.length);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('happen together when they have one moment, each once', () => {
    const functions: readonly ((x: number, t: number) => number)[] = [
      (x) => x - Math.PI,
      (x) => 7 * (Math.PI - x),
      (x) => (x - Math.PI) ** 3,
      (x) => Math.exp(x) - Math.exp(Math.PI),
      (x) => Math.sign(x - Math.PI),
      (_, t) => t - Math.PI,
    ];
    for (const method of METHOD_NAMES)
      for (const periodSeconds of [0.1, 1, 5]) {
        const state = Float64Array.of(0, 1);
        const counted = functions.map((value) => counting((t) => value(state[0] as number, t)));
        const events = counted.flatMap((one) => one.events);
        runFor(10, periodSeconds, new Integrator(state, () => [state[1] as number, 0], { method, events }));
        const orders = counted.map(({ counts }) => `${counts.order}${counts.both}`);
        expect(orders, `${method} ${periodSeconds}`).to.deep.equal(['r1', 's1', 'r1', 'r1', 'r1', 'r1']);
      }
  });

  it('see a ball leave the ground as often as it comes down', () => {
    for (const method of ['nystrom-lear-2', 'rk2', 'rk4', 'rkf78', 'abm'] as const)
      for (const periodSeconds of [0.1, 1]) {
        const state = Float64Array.of(10, 0);
        const { counts, events } = counting(() => state[0] as number);
        const bounce: IntegrationEvent = {
          value: () => state[0] as number,
          direction: 'falling',
          happen: () => {
            state[1] = -(state[1] as number);
          },
        };
        const rates = () => [state[1] as number, -9.81];
        runFor(60, periodSeconds, new Integrator(state, rates, { method, events: [bounce, ...events] }));
        expect(counts, `${method} ${periodSeconds}`).to.deep.include({ rises: 21, sets: 21, both: 21 });
      }
  });

  it('count once in a state of single precision', () => {
    const crossings = (method: MethodName): Counts => {
      const [position, velocity] = [Float32Array.of(1000, 0), Float32Array.of(0, 1)];
      const { counts, events } = counting(() => (position[0] as number) / 1000 + (position[1] as number) - 1.5);
      const rates = () => ({
        position: velocity,
        velocity: [1000 - (position[0] as number), -(position[1] as number)],
      });
      runFor(16, 0.05, new Integrator({ position, velocity }, rates, { method, tolerance: 1e-5, events }));
      return counts;
    };
    for (const method of METHOD_NAMES) expect(crossings(method)).to.deep.include({ rises: 3, sets: 3, both: 6 });
  });

  it('do not happen again while a function stays at zero', () => {
    const state = Float64Array.of(1);
    const { counts, events } = counting(() => Math.max(0, state[0] as number));
    runFor(5, 0.1, new Integrator(state, () => [-1], { method: 'rk4', events }));
    expect(counts).to.deep.equal({ rises: 0, sets: 1, both: 1, order: 's' });
  });
});

type Shape = 'product' | 'of time' | 'tanh' | 'atan' | 'sign' | 'shifted' | 'sum';

/** Each root where it is, as many times as it counts. */
function placesOf(roots: readonly { readonly gap: number; readonly times: number }[]): number[] {
  let at = 0;
  return roots.flatMap(({ gap, times }) => {
    at += gap;
    return new Array<number>(times).fill(at);
  });
}

/** A function with these roots. */
function functionOf(shape: Shape, roots: readonly number[], scale: number): (x: number) => number {
  const product = (x: number): number => scale * roots.reduce((value, root) => value * (x - root), 1);
  let coefficients = [1];
  for (const root of roots) {
    const [lower, upper] = [
      [...coefficients, 0],
      [0, ...coefficients],
    ];
    coefficients = upper.map((coefficient, i) => coefficient - root * (lower[i] as number));
  }
  switch (shape) {
    case 'tanh':
      return (x) => Math.tanh((1e6 * product(x)) / scale);
    case 'atan':
      return (x) => Math.atan(product(x));
    case 'sign':
      return (x) => Math.sign(product(x));
    case 'shifted':
      return (x) => product(x) + 1e-3 * scale - 1e-3 * scale;
    case 'sum':
      return (x) => scale * coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
    default:
      return product;
  }
}
