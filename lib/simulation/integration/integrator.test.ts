// The integrator: orders of convergence, published problems, events, what it refuses.
import { expect } from 'chai';
import fc from 'fast-check';
import { type IntegrationEvent, Integrator, type IntegratorOptions } from './integrator.js';
import { METHOD_NAMES, type MethodName } from './methods.js';
import { MM4, RKF45, RKF78, RKG4 } from './tableau.js';

/** Integrates a vector in place, in equal periods. */
function solve(
  state: Float64Array,
  rates: (t: number, y: Float64Array) => ArrayLike<number>,
  options: IntegratorOptions,
  toSeconds: number,
  periods: number,
): Float64Array {
  const integrator = new Integrator(state, (t) => rates(t, state), options);
  for (let i = 0; i < periods; i++) integrator.advance((i * toSeconds) / periods, ((i + 1) * toSeconds) / periods);
  return state;
}

/** An oscillator whose frequency changes with time, as positions and velocities; its energy does not stay. */
const swing = (t: number, [x = 0, v = 0]: Float64Array): number[] => [v, -(1 + t / 4) * x + Math.sin(3 * t)];

describe('integration', () => {
  const ORDERS: Readonly<Record<MethodName, number>> = {
    euler: 1,
    'euler-cromer': 1,
    'nystrom-lear-2': 2,
    rk2: 2,
    mm4: 2,
    rk4: 4,
    rkg4: 4,
    rkf45: 5,
    rkf78: 8,
    abm: 4,
  };

  for (const method of METHOD_NAMES) {
    it(`by ${method} has order ${ORDERS[method]}`, () => {
      // A tolerance that no step exceeds leaves the step to the period.
      const options = { method, tolerance: 1e9 };
      const [x = 0, v = 0] = solve(Float64Array.of(1, 0), swing, { method: 'rkf78', tolerance: 1e-14 }, 4, 100);
      const errors = [1, 2, 4].map((finer) => {
        const periods = (method === 'rkf78' ? 10 : 100) * finer;
        const [x1 = 0, v1 = 0] = solve(Float64Array.of(1, 0), swing, options, 4, periods);
        return Math.hypot(x1 - x, v1 - v);
      }) as [number, number, number];
      const orders = [Math.log2(errors[0] / errors[1]), Math.log2(errors[1] / errors[2])];
      expect(Math.max(...orders), `${errors}`).to.be.within(ORDERS[method] - 0.45, ORDERS[method] + 1);
      expect(Math.min(...orders), `${errors}`).to.be.within(ORDERS[method] - 0.9, ORDERS[method] + 1);
    });
  }

  it('has coefficients that add up', () => {
    for (const { nodes, stages, weights, errorWeights = [] } of [MM4, RKG4, RKF45, RKF78]) {
      const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0);
      for (const [index, stage] of stages.entries()) expect(sum(stage)).to.be.closeTo(nodes[index] as number, 1e-13);
      expect(sum(weights)).to.be.closeTo(1, 1e-13);
      expect(sum(errorWeights)).to.be.closeTo(0, 1e-13);
    }
  });

  // Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.0.
  for (const method of ['rkf45', 'rkf78'] as const) {
    it(`by ${method} comes back to the start of the Arenstorf orbit`, () => {
      const mu = 0.012277471;
      const rates = (_: number, [x = 0, y = 0, u = 0, v = 0]: Float64Array): number[] => {
        const d1 = ((x + mu) ** 2 + y ** 2) ** 1.5;
        const d2 = ((x - 1 + mu) ** 2 + y ** 2) ** 1.5;
        const ax = x + 2 * v - ((1 - mu) * (x + mu)) / d1 - (mu * (x - 1 + mu)) / d2;
        const ay = y - 2 * u - ((1 - mu) * y) / d1 - (mu * y) / d2;
        return [u, v, ax, ay];
      };
      const start = [0.994, 0, 0, -2.0015851063790824];
      const state = solve(Float64Array.from(start), rates, { method, tolerance: 1e-13 }, 17.065216560157964, 1);
      // The orbit magnifies an error about a million times.
      expect(Math.hypot((state[0] as number) - 0.994, state[1] as number)).to.be.below(1e-5);
    });

    // The same book, volume II, gives this solution at t = 2 for the stiff parameter; this is the mild one, mu = 1.
    it(`by ${method} follows van der Pol's oscillator into its cycle`, () => {
      const rates = (_: number, [x = 0, v = 0]: Float64Array): number[] => [v, (1 - x * x) * v - x];
      const periodSeconds = 6.663286859323131;
      const onCycle = solve(Float64Array.of(2, 0), rates, { method, tolerance: 1e-12 }, 60, 1);
      const before = Float64Array.from(onCycle);
      const after = solve(onCycle, rates, { method, tolerance: 1e-12 }, periodSeconds, 1);
      expect(Math.hypot(after[0]! - before[0]!, after[1]! - before[1]!)).to.be.below(1e-8);
    });
  }

  const kepler = (_: number, [x = 0, y = 0, u = 0, v = 0]: Float64Array): number[] => {
    const r3 = Math.hypot(x, y) ** 3;
    return [u, v, -x / r3, -y / r3];
  };
  const energyOf = ([x = 0, y = 0, u = 0, v = 0]: Float64Array): number => (u * u + v * v) / 2 - 1 / Math.hypot(x, y);

  it('keeps the energy of a hundred orbits, with each method as well as it can', () => {
    const e = 0.3;
    const drift = (options: IntegratorOptions, periods: number): number => {
      const state = Float64Array.of(1 - e, 0, 0, Math.sqrt((1 + e) / (1 - e)));
      solve(state, kepler, options, 200 * Math.PI, 100 * periods);
      return Math.abs(energyOf(state) + 0.5);
    };
    expect(drift({ method: 'rkf78', tolerance: 1e-12 }, 10)).to.be.below(1e-9);
    expect(drift({ method: 'rkf45', tolerance: 1e-11 }, 10)).to.be.below(1e-6);
    expect(drift({ method: 'rk4' }, 400)).to.be.below(1e-4);
    expect(drift({ method: 'abm' }, 400)).to.be.below(1e-4);
    // These two lose no energy in the long run, however rough they are.
    expect(drift({ method: 'nystrom-lear-2' }, 400)).to.be.below(1e-4);
    expect(drift({ method: 'euler-cromer' }, 400)).to.be.below(0.02);
  });

  it('starts Adams anew when the state was changed from outside', () => {
    const y = Float64Array.of(1);
    const integrator = new Integrator(y, () => [-(y[0] as number)], { method: 'abm' });
    for (let i = 0; i < 10; i++) integrator.advance(i / 100, (i + 1) / 100);
    y[0] = 5;
    for (let i = 10; i < 20; i++) integrator.advance(i / 100, (i + 1) / 100);
    expect(y[0]).to.be.closeTo(5 * Math.exp(-0.1), 1e-9);
  });

  describe('of views', () => {
    it('takes scalars, vectors, structures and lists of them, and leaves out what has no rate', () => {
      const state = {
        height: { value: 0 },
        body: { position: Float64Array.of(0, 0), velocity: Float64Array.of(1, 2), mass: 3, count: 7 },
        tanks: [{ level: 1 }, { level: 2 }],
      };
      const { body } = state;
      const rates = () => ({
        height: 2,
        body: { position: body.velocity, velocity: [0, -1], mass: -1 },
        tanks: state.tanks.map(({ level }) => ({ level: -level })),
      });
      new Integrator(state, rates, { method: 'rk4' }).advance(0, 0.5);
      expect(state.height.value).to.be.closeTo(1, 1e-15);
      expect(body.position[0]).to.be.closeTo(0.5, 1e-15);
      expect(body.position[1]).to.be.closeTo(0.875, 1e-15);
      expect(body.mass).to.be.closeTo(2.5, 1e-15);
      expect(body.count).to.equal(7);
      expect(state.tanks[1]?.level).to.be.closeTo(2 * Math.exp(-0.5), 1e-3);
    });

    it('stands still where a rate is left out for a while, and refuses one that comes up later', () => {
      const state = { x: 1, body: { v: Float64Array.of(1, 1), y: 2 } };
      let given: object = { x: 1, body: { v: [1, 2], y: 3 } };
      const integrator = new Integrator(state, () => given, { method: 'euler' });
      integrator.advance(0, 1);
      given = { x: 1 };
      integrator.advance(1, 2);
      given = { body: { y: 1 } };
      integrator.advance(2, 3);
      expect([state.x, [...state.body.v], state.body.y]).to.deep.equal([3, [2, 3], 6]);
      for (const late of [{ z: 1 }, { body: { w: 1 } }]) {
        given = late;
        expect(() => integrator.advance(3, 4)).to.throw(/^(z|body.w) has a rate now, but had none at first$/);
      }
      given = undefined as never;
      expect(() => integrator.advance(3, 4)).to.throw('the rates of state are missing');
      const [number, vector] = [{ x: undefined }, { body: { v: undefined } }];
      for (const undefinedRate of [number, vector]) {
        given = undefinedRate;
        expect(() => integrator.advance(3, 4)).to.throw(/^the rate of (x|body.v\[0\]) is NaN at 3 s$/);
        expect(() => new Integrator(state, () => undefinedRate, { method: 'euler' }).advance(0, 1)).to.throw(
          /missing|are no list/,
        );
      }
    });

    it('keeps quaternions at length 1', () => {
      const q = Float64Array.of(1, 0, 0, 0);
      const turn = () => [-(q[1] as number) / 2, (q[0] as number) / 2, (q[3] as number) / 2, -(q[2] as number) / 2];
      const integrator = new Integrator({ q }, () => ({ q: turn() }), { method: 'euler', normalize: [q] });
      for (let i = 0; i < 1000; i++) integrator.advance(i / 100, (i + 1) / 100);
      expect(Math.hypot(...q)).to.be.closeTo(1, 1e-15);
      expect(2 * Math.atan2(q[1] as number, q[0] as number) + 4 * Math.PI).to.be.closeTo(10, 0.01);
    });

    const refused: readonly (readonly [what: string, state: unknown, rates: unknown, sentence: string])[] = [
      ['a rate for nothing', { x: 1 }, { y: 1 }, 'there is no y to integrate'],
      ['a list of the wrong length', { x: new Float64Array(3) }, { x: [1, 2] }, 'x has 3 elements, its rates 2'],
      ['no rate', { x: 1 }, { x: undefined }, 'the rate of x is missing'],
      ['no list', { x: new Float64Array(3) }, { x: 1 }, 'x has 3 elements, its rates are no list'],
      ['integers', { x: new Int32Array(3) }, { x: [1, 2, 3] }, 'x is a list of integers, which cannot be integrated'],
      ['nothing', { x: 1 }, {}, 'the derivative gives no rates'],
      ['no object', { x: 1 }, undefined, 'the rates of state are missing'],
      ['NaN', { a: { x: 1 } }, { a: { x: Number.NaN } }, 'the rate of a.x is NaN at 2 s'],
      ['infinity in a vector', { x: new Float64Array(2) }, { x: [0, 1 / 0] }, 'the rate of x[1] is Infinity at 2 s'],
      ['a short list of structures', { x: [{ y: 1 }, { y: 1 }] }, { x: [{ y: 1 }] }, 'x has 2 elements, its rates 1'],
      ['text', { x: 'a' }, { x: 1 }, 'x is no single number, but its rate is'],
    ];
    for (const [what, state, rates, sentence] of refused) {
      it(`refuses ${what}`, () => {
        expect(() => new Integrator(state, () => rates, { method: 'rk4' }).advance(2, 3)).to.throw(sentence);
      });
    }

    it('refuses positions without their velocities', () => {
      const swapped = { v: 1, x: 2 };
      const integrator = new Integrator(swapped, () => ({ v: -swapped.x, x: swapped.v }), { method: 'nystrom-lear-2' });
      expect(() => integrator.advance(0, 1)).to.throw('nystrom-lear-2 needs positions first and then their velocities');
    });

    it('refuses methods and tolerances that are none', () => {
      const make = (options: object) => () => new Integrator({}, () => ({}), options as IntegratorOptions);
      expect(make({ method: 'rk5' })).to.throw('there is no integration method rk5; there are euler, ');
      expect(make({ method: 'toString' })).to.throw('there is no integration method toString');
      expect(make({ method: 'rkf45', tolerance: 0 })).to.throw('a tolerance is a number above 0, not 0');
      expect(make({ method: 'rkf45', tolerance: Number.NaN })).to.throw('a tolerance is a number above 0, not NaN');
    });

    it('leaves the state at the last good step when the derivative throws', () => {
      const y = Float64Array.of(1);
      let calls = 0;
      const rates = (): number[] => {
        if (++calls === 8) throw new Error('no table');
        return [1];
      };
      const integrator = new Integrator(y, rates, { method: 'rk4' });
      integrator.advance(0, 1);
      expect(() => integrator.advance(1, 2)).to.throw('no table');
      expect(y[0]).to.equal(2);
    });

    it('gives up where no step is short enough', () => {
      const y = Float64Array.of(1);
      const grow = () => [(y[0] as number) ** 2];
      expect(() => new Integrator(y, grow, { method: 'rkf45' }).advance(0, 2)).to.throw(
        /no step is short enough|is Infinity/,
      );
      expect(Number.isFinite(y[0])).to.equal(true);
    });
  });

  describe('with events', () => {
    const drop = (height: number, event: Partial<IntegrationEvent>, method: MethodName = 'rk4', tolerance = 1e-10) => {
      const y = Float64Array.of(height, 0);
      const times: number[] = [];
      const bounce: IntegrationEvent = {
        name: 'bounce',
        value: () => y[0] as number,
        direction: 'falling',
        happen: (at) => {
          times.push(at);
          y[1] = -0.8 * (y[1] as number);
        },
        ...event,
      };
      const rates = () => [y[1] as number, -9.81];
      return { y, times, integrator: new Integrator(y, rates, { method, tolerance, events: [bounce] }) };
    };

    // Second-order methods and better follow a parabola exactly, so the bounces come at their exact times.
    for (const method of ['nystrom-lear-2', 'rk2', 'rk4', 'abm', 'rkf45', 'rkf78'] as const) {
      it(`by ${method}, lets a ball bounce at its exact times`, () => {
        const { y, times, integrator } = drop(10, {}, method);
        for (let i = 0; i < 80; i++) integrator.advance(i / 10, (i + 1) / 10);
        const fall = Math.sqrt(20 / 9.81);
        const exact = [0, 1, 2, 3].map((n) => fall * (1 + 2 * [0, 0.8, 1.44, 1.952][n]!));
        expect(times.length).to.be.at.least(4);
        for (const [n, at] of exact.entries())
          expect(times[n]).to.be.closeTo(at, 1e-12 * (method === 'abm' ? 1000 : 10));
        const [last = 0, before] = [times.at(-1), times.at(-2) as number];
        const up = ((last - before) * 9.81 * 0.8) / 2;
        const left = 8 - last;
        expect(y[0]).to.be.closeTo(up * left - 4.905 * left ** 2, 1e-10);
      });
    }

    it('finds events that come and go within one long step', () => {
      const { times, integrator } = drop(1, {});
      integrator.advance(0, 1.8);
      expect(times).to.have.length(3);
      expect(times[0]).to.be.closeTo(Math.sqrt(2 / 9.81), 1e-13);
    });

    it('stops an event that repeats faster and faster', () => {
      const { y, integrator } = drop(1e-6, {
        happen: () => {
          y[1] = -0.995 * (y[1] as number);
        },
      });
      expect(() => integrator.advance(0, 1)).to.throw('event bounce has happened 1000 times within 1 s');
      expect(Math.abs(y[0] as number)).to.be.below(1e-6);
    });

    it('sees a hop that is far shorter than the step', () => {
      const { y, times, integrator } = drop(1e-4, {
        happen: (at) => {
          times.push(at);
          y[1] = times.length === 1 ? 1e-6 : 1;
        },
      });
      integrator.advance(0, 0.1);
      expect(times).to.have.length(2);
      expect((times[1] as number) - (times[0] as number)).to.be.closeTo(2e-6 / 9.81, 1e-10);
    });

    it('lets all events of one moment happen, in their order', () => {
      const seen: string[] = [];
      const y = Float64Array.of(1);
      const named = (name: string): IntegrationEvent => ({
        name,
        value: () => y[0]!,
        happen: () => void seen.push(name),
      });
      new Integrator(y, () => [-1], { method: 'rk4', events: [named('a'), named('b')] }).advance(0, 2);
      expect(seen).to.deep.equal(['a', 'b']);
      expect(y[0]).to.be.closeTo(-1, 1e-14);
    });

    it('counts only crossings in the asked direction', () => {
      const count = (direction: 'rising' | 'falling' | 'either'): number => {
        const y = Float64Array.of(1, 0);
        let n = 0;
        const events = [{ value: () => y[0]!, direction, happen: () => void n++ }];
        solve2(y, events);
        return n;
      };
      const solve2 = (y: Float64Array, events: readonly IntegrationEvent[]): void => {
        const integrator = new Integrator(y, () => [y[1]!, -y[0]!], { method: 'rkf45', events });
        for (let i = 0; i < 20; i++) integrator.advance(i, i + 1);
      };
      // cos t is zero at pi/2 (falling), 3 pi/2 (rising) ... within 20 s six times.
      expect([count('falling'), count('rising'), count('either')]).to.deep.equal([3, 3, 6]);
    });

    it('finds the crossing of a sine to the last digits, wherever it is', () => {
      fc.assert(
        fc.property(fc.double({ min: 0.05, max: 0.95, noNaN: true }), (at) => {
          const y = Float64Array.of(0, 1);
          const found: number[] = [];
          const event = { value: () => y[0]! - Math.sin(at), happen: (t: number) => void found.push(t) };
          new Integrator(y, () => [y[1]!, -y[0]!], { method: 'rkf78', tolerance: 1e-13, events: [event] }).advance(
            0,
            1,
          );
          expect(found).to.have.length(1);
          expect(found[0]).to.be.closeTo(at, 1e-11);
        }),
      );
    });
  });
});
