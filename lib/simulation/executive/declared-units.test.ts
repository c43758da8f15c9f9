// Units that do not exist are refused when a simulation is built.
import { expect } from 'chai';
import { array, double, struct } from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import { TestRun } from '../../testing/aids/simulation-run.js';

const build = (units: string) =>
  TestRun.start({}, (sim) => void sim.object('o').component('x', double({ units }))).then(
    () => undefined,
    (error: Error) => error.message,
  );

describe('declared units', () => {
  for (const units of [
    'm',
    'm/s2',
    'kg*m2',
    '--',
    '1',
    'lbm',
    'rev/s',
    'kJ/(kg K)',
    'degC',
    '10 m',
    'n.m.',
    '',
    'µs',
    '%',
  ]) {
    it(`may be ${units || 'left empty'}`, async () => expect(await build(units)).to.equal(undefined));
  }
  for (const units of ['metres per furtnight', 'mq', 'm/', 'm/sq', 'kg*', '(']) {
    it(`may not be ${units}`, async () => expect(await build(units)).to.include(`o.x has units "${units}": `));
  }

  it('are found at every depth', async () => {
    const Leaf = struct('Leaf', { heat: double({ units: 'joul' }) });
    for (const declared of [array(struct('Twig', { leaves: vector(Leaf, 2) }), 2), struct('Twig', { leaves: Leaf })]) {
      const built = TestRun.start({}, (sim) => void sim.object('o').component('t', declared));
      expect(await built.catch((error: Error) => error.message)).to.equal(
        'o.t.leaves.heat has units "joul": expected a known unit, found "joul" at column 1; the nearest known are "joule"',
      );
    }
  });
});
