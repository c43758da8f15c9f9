// Commands for large memory are carried out in steps: no tick waits long for them, and nobody sees one half done.
import { expect } from 'chai';
import { double, pointer } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Request } from './request.js';
import type { Outcome } from './request-queue.js';

const LARGE = 500_000;

describe('commands for large memory', () => {
  let run: TestRun;
  let aim: { readonly isNull: boolean; pointTo(target: object): void };
  let target: { pointTo(target: object): void; readonly isNull: boolean };
  /** Milliseconds for each look at the clock: steps of a command are as long as all others. */
  let stepMillis = 0;
  let clockMillis = 0;

  beforeEach(async () => {
    [stepMillis, clockMillis] = [0, 0];
    run = await TestRun.start(
      {},
      (sim) => {
        const o = sim.object('o');
        target = o.component('target', pointer(double())) as never;
        aim = o.component('aim', pointer(double())) as never;
      },
      'RUN_test',
      {
        nowMillis: () => {
          clockMillis += stepMillis;
          return clockMillis;
        },
      },
    );
  });

  const ask = (request: Request): Outcome => run.ask(request)[0] as Outcome;
  const declare = (declaration: string): number => addressIn(ask({ kind: 'declare', declaration }));
  const addressIn = (outcome: Outcome): number => (outcome as { value: number }).value;
  const element = (name: string, index: number) => run.running.catalog.find(`${name}[${index}]`);
  const set = (path: string, value: number): Request => ({ kind: 'write', writes: [{ path, value }] });

  /** Submits a request and lets turns go by until it is answered; returns their number, and the outcome. */
  function inTurns(request: Request, between: (turn: number) => void = () => {}): { turns: number; outcome: Outcome } {
    let outcome: Outcome | undefined;
    run.running.submit(request, (answer) => {
      outcome = answer;
    });
    stepMillis = 1.5;
    let turns = 0;
    for (; !outcome && turns < 10_000; turns++) {
      run.running.turn();
      if (!outcome) between(turns);
    }
    stepMillis = 0;
    return { turns, outcome: outcome as Outcome };
  }

  const memory = () => run.running.state.arena.memory.view;
  const offsetOf = (name: string, index: number): number => element(name, index)?.offsetBytes as number;

  it('clear it in several turns', () => {
    declare(`double h[${LARGE}]`);
    for (const index of [0, LARGE - 1]) ask(set(`h[${index}]`, 7));
    const { turns } = inTurns({ kind: 'clear-memory', what: 'h' });
    expect(turns).to.be.above(4);
    for (const index of [0, LARGE - 1]) expect(memory().getFloat64(offsetOf('h', index), true)).to.equal(0);
  });

  it('declare it in several turns where other memory was, and it is there when it is zero', () => {
    declare(`double h[${LARGE}]`);
    ask(set('h[5]', 7));
    ask({ kind: 'delete-memory', what: 'h' });
    const { turns } = inTurns({ kind: 'declare', declaration: `double g[${LARGE}]` }, () =>
      expect(run.running.state.allocations.has('g')).to.equal(false),
    );
    expect(turns).to.be.above(4);
    expect(memory().getFloat64(offsetOf('g', 5), true)).to.equal(0);
  });

  it('resize it with what clients have written meanwhile, and its name is always there', () => {
    declare(`double h[${LARGE}]`);
    ask(set('h[9]', 7));
    const { turns, outcome } = inTurns({ kind: 'resize', what: 'h', extents: [LARGE + 1] }, (turn) => {
      expect(run.running.state.allocations.has('h')).to.equal(true);
      if (turn === 3) run.running.submit(set('h[0]', 3), () => {});
    });
    expect(outcome).to.not.have.property('error');
    expect(turns).to.be.above(8);
    expect(memory().getFloat64(offsetOf('h', 0), true)).to.equal(3);
    expect(memory().getFloat64(offsetOf('h', 9), true)).to.equal(7);
    expect(element('h', LARGE)).to.not.equal(undefined);
  });

  it('are refused when clients write into it all the time while it is copied, and change nothing', () => {
    declare(`double h[${LARGE}]`);
    const before = run.running.state.allocations.ownBytes;
    const { outcome } = inTurns({ kind: 'resize', what: 'h', extents: [LARGE + 1] }, (turn) =>
      run.running.submit(set('h[0]', turn), () => {}),
    );
    expect(outcome)
      .to.have.property('error')
      .that.matches(/was written 5 times while it was copied/);
    expect(run.running.state.allocations.ownBytes).to.equal(before);
  });

  it('delete memory beside many pointers in several turns, and code of the simulation sees it gone at once', () => {
    declare(`double * many[${LARGE}]`);
    const small = declare('double[3]');
    ask({ kind: 'aim', path: `many[${LARGE - 1}]`, to: { address: small } });
    ask({ kind: 'aim', path: 'o.target', to: { address: small } });
    expect(target.isNull).to.equal(false);
    let seen = 0;
    const { turns } = inTurns({ kind: 'delete-memory', what: small }, () => {
      if (run.running.state.allocations.ownCount > 1) return;
      seen++;
      expect(target.isNull).to.equal(true);
    });
    expect(turns).to.be.above(4);
    expect(seen).to.be.above(2);
    expect(memory().getUint32(offsetOf('many', LARGE - 1), true)).to.equal(0);
    expect(aim.isNull).to.equal(true);
  });

  it('are carried out one after another, and other requests between their steps', () => {
    declare(`double h[${LARGE}]`);
    const order: string[] = [];
    const note = (what: string) => () => order.push(what);
    stepMillis = 1.5;
    run.running.submit({ kind: 'clear-memory', what: 'h' }, note('clear'));
    run.running.submit({ kind: 'delete-memory', what: 'h' }, note('delete'));
    run.running.submit(set('h[0]', 1), note('write'));
    for (let turn = 0; turn < 200; turn++) run.running.turn();
    expect(order).to.deep.equal(['write', 'clear', 'delete']);
  });

  it('are ended when nobody waits for them any more, so that later ones get their turn', () => {
    declare(`double h[${LARGE}]`);
    stepMillis = 1.5;
    run.running.submit({ kind: 'clear-memory', what: 'h' }, () => {});
    run.running.turn();
    run.running.forgetRequests();
    const { outcome } = inTurns({ kind: 'delete-memory', what: 'h' });
    expect(outcome).to.not.have.property('error');
  });
});
