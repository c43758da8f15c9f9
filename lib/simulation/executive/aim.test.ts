// Pointers are aimed as a whole or not at all, and large lists in steps.
import { expect } from 'chai';
import { array, double, pointer } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { AimRequest } from './request.js';

describe('a pointer', () => {
  async function start(): Promise<TestRun> {
    return await TestRun.start({}, (sim) => {
      const o = sim.object('o');
      o.component('pp', pointer(pointer(double())));
      o.component('p', pointer(double({ min: 0 })), [1, 2]);
      o.component('q', pointer(double({ min: 0 })));
      o.component('some', array(pointer(double({ min: 0 })), 3));
      o.component('rows', array(array(pointer(double({ min: 0 })), 2), 2));
      o.component('far', pointer(pointer(double({ min: 0 }))));
      o.component('fixed', double([2, 3], { min: 0 }), [
        [1, 2, 3],
        [4, 5, 6],
      ]);
    });
  }
  const client = (address: string) => ({ by: { address, session: 1 } });
  const refusal = (run: TestRun, request: AimRequest): string => {
    const before = run.running.state.allocations.ownCount;
    const [outcome] = run.ask(request);
    expect(run.running.state.allocations.ownCount).to.equal(before);
    return (outcome as { error: string }).error;
  };

  it('stays as it is when one of the values does not fit, and no memory is kept', async () => {
    const run = await start();
    const aim = { kind: 'aim', path: 'o.pp' } as const;
    expect(refusal(run, { ...aim, to: [[1, 2], [3], ['x']] })).to.equal(
      'o.pp[2][0] is a double; the text "x" does not fit',
    );
    expect(refusal(run, { ...aim, to: [[1], []] })).to.match(/^o\.pp\[1\] points at one value or more/);
    expect(refusal(run, { ...aim, to: [[1], 2] })).to.match(/^o\.pp\[1\] is a double\*; the number 2/);
    expect(refusal(run, { kind: 'aim', path: 'o.p', to: [1, -1] })).to.match(/^o\.p\[1\] .* -1/);
    expect(run.last.value('o.p')).to.deep.equal([1, 2]);
  });

  it('of an array gets its own target, and those that a list leaves out point at nothing', async () => {
    const run = await start();
    const [p, row] = [{ variable: 'o.p' }, { variable: 'o.fixed[1]' }];
    run.ask({ kind: 'aim', path: 'o.some', to: [p, [7], row] });
    expect(run.last.value('o.some')).to.deep.equal([[1, 2], [7], [4, 5, 6]]);
    const [first, third] = [{ variable: 'o.some[0]' }, { variable: 'o.some[2]' }];
    run.ask({ kind: 'aim', path: 'o.some', to: [third, first] });
    expect(run.last.value('o.some')).to.deep.equal([[4, 5, 6], [1, 2], null]);
    run.ask({ kind: 'aim', path: 'o.rows', to: [[p], [row, [8]]] });
    run.ask({ kind: 'aim', path: 'o.rows[0]', to: { variable: 'o.rows[1]' } });
    expect(run.last.value('o.rows')).to.deep.equal([
      [[4, 5, 6], [8]],
      [[4, 5, 6], [8]],
    ]);
    for (const to of [[p, 5], [[9], p, p, p], [[9], { variable: 'o.gone' }], [{ address: 12 }], null, p])
      refusal(run, { kind: 'aim', path: 'o.some', to });
    expect(run.last.value('o.some')).to.deep.equal([[4, 5, 6], [1, 2], null]);
  });

  it('in new memory may point at what there is, and at what the new memory takes the place of', async () => {
    const run = await start();
    run.ask({ kind: 'aim', path: 'o.far', to: [[1, 2], { variable: 'o.fixed[0]' }, null] });
    run.ask({ kind: 'aim', path: 'o.far', to: [{ variable: 'o.far[1]' }, { variable: 'o.far[0]' }] });
    expect(run.last.value('o.far')).to.deep.equal([
      [1, 2, 3],
      [1, 2],
    ]);
    const many = Array.from({ length: 1001 }, () => ({ variable: 'o.p' }));
    expect(refusal(run, { kind: 'aim', path: 'o.far', to: many })).to.equal(
      'a list may name up to 1000 variables for pointers to point at',
    );
    expect(run.ask({ kind: 'aim', path: 'o.far', to: many.slice(1) })[0]).to.have.property('frame');
  });

  it('takes from what its client may have', async () => {
    const run = await start();
    const rows = Array.from({ length: 600 }, (_, index) => [index]);
    expect(run.ask({ kind: 'aim', path: 'o.pp', to: rows, ...client('1.1.1.1') })[0]).to.have.property('frame');
    const again = refusal(run, { kind: 'aim', path: 'o.pp', to: rows, ...client('1.1.1.1') });
    expect(again).to.match(/declared variables/);
    expect(run.last.value('o.pp')).to.deep.equal(rows);
  });

  it('keeps memory at which another pointer points', async () => {
    const run = await start();
    run.ask({ kind: 'aim', path: 'o.p', to: [5, 6] });
    run.ask({ kind: 'aim', path: 'o.q', to: { variable: 'o.p[1]' } });
    run.ask({ kind: 'aim', path: 'o.p', to: null });
    expect([run.last.value('o.p'), run.last.value('o.q')]).to.deep.equal([null, [6]]);
    run.ask({ kind: 'aim', path: 'o.q', to: [1] }, { kind: 'aim', path: 'o.q', to: [2] });
    expect(run.running.state.allocations.ownCount).to.equal(2);
  });
});
