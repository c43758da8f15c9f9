// Code of a simulation that throws what cannot be read: the fault is told in one sentence, wherever it was thrown.
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { HOSTILE_THROWS } from '../../testing/aids/hostile-throws.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Sim } from './simulation.js';

type Throw = () => never;

const OBJECT = { value: double() } as const;

/** Where code of a simulation is called that freezes the run when it throws, and the beginning of the sentence. */
const FREEZING: Readonly<Record<string, (sim: Sim, fail: Throw) => void>> = {
  'job burn failed: ': (sim, fail) => sim.job(0.01, () => fail(), { name: 'burn' }),
  'job tidy failed: ': (sim, fail) => sim.job('end_of_frame', () => fail(), { name: 'tidy' }),
  'job fly failed: ': (sim, fail) => {
    const state = sim.object('o').components(OBJECT);
    sim.integrate(state, () => (sim.timeSeconds === 0 ? { value: 1 } : fail()), { method: 'rkf45', name: 'fly' });
  },
  'job meet failed: ': (sim, fail) => {
    const state = sim.object('o').components(OBJECT, { value: -0.005 });
    const events = [{ value: () => state.value, happen: fail }];
    sim.integrate(state, () => ({ value: 1 }), { method: 'rk4', name: 'meet', events });
  },
  'o.read cannot be read: ': (sim, fail) => {
    sim.object('o').mirror('read', double(), { get: () => (sim.timeSeconds === 0 ? 0 : fail()) });
  },
};

describe('a thrown thing that cannot be read', () => {
  for (const [what, make] of Object.entries(HOSTILE_THROWS))
    it(`is told when it is ${what}`, async () => {
      const fail = (): never => {
        throw make();
      };
      for (const [sentence, build] of Object.entries(FREEZING)) {
        const run = await TestRun.start({}, (sim) => build(sim, fail));
        run.ticks(3);
        expect(run.faults, sentence).to.have.length(1);
        expect(run.faults[0]?.startsWith(sentence), run.faults[0]).to.equal(true);
        expect(run.said[0]).to.match(/^\d\.?\d* error: .*; the simulation is frozen$/);
      }
      const run = await TestRun.start({}, (sim) => {
        sim.object('o').mirror('given', double(), { get: () => 0, set: fail });
        sim.function('act', fail);
        sim.function('wait', (async () => fail()) as never);
        sim.event('ev', { conditions: fail, actions: fail });
        sim.job(0.01, fail, { name: 'off' });
      });
      const refusals = [
        run.ask({ kind: 'call', name: 'act', values: [] })[0],
        run.ask({ kind: 'call-job', job: 'ev.conditions[0]' })[0],
        run.ask({ kind: 'call-job', job: 'off' })[0],
        run.write('o.given', 1),
      ].map((outcome) => (outcome as { readonly error?: string }).error);
      for (const refusal of refusals) expect(refusal).to.be.a('string').and.not.include('\n');
      run.ask({ kind: 'call', name: 'wait', values: [] });
      await new Promise((resolve) => setImmediate(resolve));
      expect(run.said.join('\n')).to.match(/error: function wait failed: \S/);
    });

  it('is told when the clock throws it', async () => {
    let isBroken = false;
    const seconds = (elapsed: number): number => {
      if (isBroken) throw HOSTILE_THROWS['a revoked proxy']?.();
      return elapsed;
    };
    const run = await TestRun.start({ clock: { label: 'TAI', seconds } });
    isBroken = true;
    run.ticks(1);
    expect(run.faults).to.deep.equal(['something was thrown that cannot be shown']);
  });
});
