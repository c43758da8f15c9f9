// Dense output: the state between the ends of steps, as exact as the steps are, in order, events included.
import { expect } from 'chai';
import fc from 'fast-check';
import { Integrator } from './integrator.js';
import { METHOD_NAMES } from './methods.js';

describe('dense output', () => {
  it('shows an oscillation at every multiple of its period, with each method as exactly as its steps', () => {
    for (const method of METHOD_NAMES) {
      const state = Float64Array.of(0, 1);
      const seen: [number, number][] = [];
      const take = (timeSeconds: number): void => void seen.push([timeSeconds, state[0] as number]);
      const options = { method, tolerance: 1e-10, denseOutput: { periodSeconds: 0.01, take } };
      const integrator = new Integrator(state, () => [state[1], -(state[0] as number)], options);
      let worstOfSteps = 0;
      for (let step = 1; step <= 40; step++) {
        integrator.advance((step - 1) / 20, step / 20);
        worstOfSteps = Math.max(worstOfSteps, Math.abs((state[0] as number) - Math.sin(step / 20)));
      }
      expect(seen.map(([timeSeconds]) => Math.round(timeSeconds * 100))).to.deep.equal(
        Array.from({ length: 200 }, (_, index) => index + 1),
      );
      const worst = Math.max(...seen.map(([timeSeconds, x]) => Math.abs(x - Math.sin(timeSeconds))));
      expect(worst, method).to.be.below(3 * worstOfSteps + 1e-9);
    }
  });

  it('does not change what is integrated, whatever it does with the views', () => {
    const end = (denseOutput?: object): number[] => {
      const state = Float64Array.of(1, 0);
      const output = denseOutput && {
        denseOutput: {
          periodSeconds: 0.03,
          take: () => {
            state.fill(99);
          },
        },
      };
      const integrator = new Integrator(state, () => [state[1], -(state[0] as number)], { method: 'rkf45', ...output });
      for (let step = 0; step < 10; step++) integrator.advance(step, step + 1);
      return [...state];
    };
    expect(end({})).to.deep.equal(end());
  });

  it('shows both sides of an event in the order of time', () => {
    const ball = { height: 10, velocity: 0 };
    const seen: { readonly timeSeconds: number; readonly height: number; readonly velocity: number }[] = [];
    const integrator = new Integrator(ball, () => ({ height: ball.velocity, velocity: -9.81 }), {
      method: 'rk4',
      events: [
        {
          value: () => ball.height,
          direction: 'falling',
          happen: () => {
            ball.velocity *= -1;
          },
        },
      ],
      denseOutput: { periodSeconds: 0.1, take: (timeSeconds) => void seen.push({ timeSeconds, ...ball }) },
    });
    integrator.advance(0, 2);
    const hit = Math.sqrt(20 / 9.81);
    expect(seen).to.have.length(20);
    for (const { timeSeconds, height, velocity } of seen) {
      // It goes up as it has come down.
      const since = timeSeconds < hit ? timeSeconds : 2 * hit - timeSeconds;
      expect(height).to.be.closeTo(10 - (9.81 * since * since) / 2, 1e-9);
      expect(Math.sign(velocity)).to.equal(timeSeconds < hit ? -1 : 1);
    }
  });

  it('falls on each multiple once, however the steps lie', () => {
    const lengths = fc.array(fc.double({ min: 1e-4, max: 3, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(lengths, fc.double({ min: 0.01, max: 2, noNaN: true }), (steps, periodSeconds) => {
        const state = Float64Array.of(0);
        const seen: number[] = [];
        const denseOutput = {
          periodSeconds,
          take: (timeSeconds: number) => void seen.push(Math.round(timeSeconds / periodSeconds)),
        };
        const integrator = new Integrator(state, () => [1], { method: 'euler', denseOutput });
        let atSeconds = 0;
        for (const length of steps) {
          integrator.advance(atSeconds, atSeconds + length);
          atSeconds += length;
        }
        expect(seen).to.deep.equal(seen.map((_, index) => index + 1));
        expect(Math.abs(seen.length - atSeconds / periodSeconds)).to.be.below(1 + 1e-6);
      }),
    );
  });

  it('refuses a period that is none, or far too short', () => {
    const state = Float64Array.of(0);
    const make = (periodSeconds: number) =>
      new Integrator(state, () => [1], { method: 'rk4', denseOutput: { periodSeconds, take: () => undefined } });
    for (const period of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => make(period)).to.throw(RangeError, 'dense output needs a period in seconds above 0');
    expect(() => make(1e-9).advance(0, 1)).to.throw(RangeError, 'more than 100000 dense outputs');
  });
});
