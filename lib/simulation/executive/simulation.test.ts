// A simulation definition: what it declares and what it refuses.
import { expect } from 'chai';
import { TestRun } from '../../testing/aids/simulation-run.js';
import { isSimulationDefinition, type Sim, simulation } from './simulation.js';

describe('a simulation definition', () => {
  it('is known again when it has been imported', () => {
    expect(isSimulationDefinition(simulation({ name: 'a', frameSeconds: 0.01 }, () => {}))).to.equal(true);
    for (const other of [undefined, null, {}, () => {}, { options: {} }])
      expect(isSimulationDefinition(other)).to.equal(false);
  });

  it('refuses times that are none', () => {
    const define = (options: object) => () => simulation({ name: 'a', frameSeconds: 0.01, ...options }, () => {});
    expect(define({ frameSeconds: 0 })).to.throw(RangeError, 'frameSeconds is a time in seconds from 1e-6 up, not 0');
    expect(define({ freezeFrameSeconds: Number.NaN })).to.throw(
      'freezeFrameSeconds is a time in seconds from 1e-6 up, not NaN',
    );
    expect(define({ terminateSeconds: -1 })).to.throw('terminateSeconds is a time in seconds from 0 up, not -1');
    expect(define({ terminateSeconds: Number.POSITIVE_INFINITY })).not.to.throw();
  });

  it('refuses options that it does not have, and names the one that is meant', () => {
    const define = (options: object) => () => simulation({ name: 'a', ...options } as never, () => {});
    const refused = (stray: string, meant: string) => `simulation a has no option ${stray}; did you mean ${meant}?`;
    expect(define({ frame: 0.1 })).to.throw(RangeError, refused('frame', 'frameSeconds'));
    expect(define({ frameSeconds: 0.1, freezeFrame: 1 })).to.throw(refused('freezeFrame', 'freezeFrameSeconds'));
    expect(define({ frameSeconds: 0.1, terminateTime: 1 })).to.throw(refused('terminateTime', 'terminateSeconds'));
    expect(define({ frameSeconds: 0.1, realtime: false })).to.throw(refused('realtime', 'realTime'));
  });

  for (const [what, build, sentence] of [
    [
      'job',
      (sim) => sim.job(1, () => {}, { name: 'pump', phase: 1 } as object),
      'job pump has no option phase; did you mean phaseSeconds?',
    ],
    [
      'job at a moment',
      (sim) => sim.job('shutdown', () => {}, { nam: 'a' } as object),
      'job without a name has no option nam; did you mean name?',
    ],
    [
      'integration',
      (sim) => sim.integrate({}, () => ({}), { method: 'rk4', period: 1 } as never),
      'sim.integrate has no option period; did you mean periodSeconds?',
    ],
    [
      'dense output',
      (sim) => sim.integrate({}, () => ({}), { method: 'rk4', denseOutput: { period: 1, take: () => {} } as never }),
      'dense output has no option period; did you mean periodSeconds?',
    ],
    [
      'event',
      (sim) => sim.event('full', { conditions: 'True', actions: '1', cycle: 1 } as never),
      'event full has no option cycle; did you mean cycleSeconds?',
    ],
    [
      'recording',
      (sim) => sim.record('log', { variables: [], moreCycles: [1] } as never),
      'recording log has no option moreCycles; did you mean moreCyclesSeconds?',
    ],
  ] as readonly [string, (sim: Sim) => unknown, string][]) {
    it(`refuses options that its ${what} does not have`, async () => {
      const failed = await TestRun.start({}, (sim) => void build(sim)).catch((error: Error) => error.message);
      expect(failed).to.equal(sentence);
    });
  }
});
