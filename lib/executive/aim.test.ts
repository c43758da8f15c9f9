// Pointers are aimed as a whole or not at all, and large lists in steps.
import { expect } from 'chai';
import { double, pointer } from '../model/declare.js';
import { TestRun } from '../testing/aids/simulation-run.js';
import type { AimRequest } from './request.js';

describe('a pointer', () => {
  async function start(): Promise<TestRun> {
    return await TestRun.start({}, (sim) => {
      const o = sim.object('o');
      o.component('pp', pointer(pointer(double())));
      o.component('p', pointer(double({ min: 0 })), [1, 2]);
      o.component('q', pointer(double({ min: 0 })));
    });
  }
  const client = (address: string) => ({ by: { address, client: 1 } });
  const refusal = (run: TestRun, request: AimRequest): string => {
    const before = run.running.state.allocations.ownCount;
    const [outcome] = run.ask(request);
    expect(run.running.state.allocations.ownCount).to.equal(before);
    return (outcome as { error: string }).error;
  };

  it('stays as it is when one of the values does not fit, and no memory is kept', async () => {
    const run = await start();
    const aim = { kind: 'aim', path: 'o.pp' } as const;
    expect(refusal(run, { ...aim, values: [[1, 2], [3], ['x']] })).to.equal(
      'o.pp[2][0] is a double; the text "x" does not fit',
    );
    expect(refusal(run, { ...aim, values: [[1], []] })).to.match(/^o\.pp\[1\] points at one value or more/);
    expect(refusal(run, { ...aim, values: [[1], 2] })).to.match(/^o\.pp\[1\] is a double\*; the number 2/);
    expect(refusal(run, { kind: 'aim', path: 'o.p', values: [1, -1] })).to.match(/^o\.p\[1\] .* -1/);
    expect(run.last.value('o.p')).to.deep.equal([1, 2]);
  });

  it('takes from what its client may have', async () => {
    const run = await start();
    const rows = Array.from({ length: 600 }, (_, index) => [index]);
    expect(run.ask({ kind: 'aim', path: 'o.pp', values: rows, ...client('1.1.1.1') })[0]).to.have.property('frame');
    const again = refusal(run, { kind: 'aim', path: 'o.pp', values: rows, ...client('1.1.1.1') });
    expect(again).to.match(/declared variables/);
    expect(run.last.value('o.pp')).to.deep.equal(rows);
  });

  it('keeps memory at which another pointer points', async () => {
    const run = await start();
    run.ask({ kind: 'aim', path: 'o.p', values: [5, 6] });
    run.ask({ kind: 'aim', path: 'o.q', variable: 'o.p[1]' });
    run.ask({ kind: 'aim', path: 'o.p', address: null });
    expect([run.last.value('o.p'), run.last.value('o.q')]).to.deep.equal([null, [6]]);
    run.ask({ kind: 'aim', path: 'o.q', values: [1] }, { kind: 'aim', path: 'o.q', values: [2] });
    expect(run.running.state.allocations.ownCount).to.equal(2);
  });
});
