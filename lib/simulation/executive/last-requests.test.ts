// What was asked before the end of a run.
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Desk } from '../checkpoint/desk.js';
import { SLICE_MILLIS } from './request-queue.js';
import type { Sim } from './simulation.js';

describe('the end of a running simulation', () => {
  it('carries out what was asked with the end, however slow the machine, for a tenth of a second', async () => {
    for (const [millis, count] of [
      [99, 3],
      [100, 2],
    ] as const) {
      const run: TestRun = await TestRun.start({}, (sim) => {
        sim.object('o').component('x', double());
        sim.function('slow', () => {
          run.nowMillis += millis;
        });
      });
      const write = { kind: 'write', writes: [{ path: 'o.x', value: 5 }] } as const;
      const outcomes = run.ask(
        { kind: 'control', control: { action: 'stop' } },
        { kind: 'call', name: 'slow', values: [] },
        write,
      );
      expect([outcomes.length, run.running.isOver]).to.deep.equal([count, true]);
      expect(outcomes.every((outcome) => !('error' in outcome))).to.equal(true);
    }
  });

  const deskFor = (made: string[], prepare: Desk['prepare']): Desk => ({
    ...{ worksForClients: false, isBehind: false, collect: () => undefined, close: async () => undefined, prepare },
    ...{ memoryFor: (bytes) => Buffer.alloc(bytes), submit: (task) => void made.push(task.file) },
  });

  it('makes a checkpoint that was asked for before the end, for a tenth of a second', async () => {
    for (const [millis, isMade] of [
      [90, true],
      [110, false],
    ] as const) {
      const made: string[] = [];
      let run: TestRun | undefined;
      let leftMillis = millis + SLICE_MILLIS;
      const desk = deskFor(made, (_bytes, _by, isOver) => {
        for (; leftMillis > 0 && !isOver(); leftMillis--) (run as TestRun).nowMillis++;
        return leftMillis === 0;
      });
      run = await TestRun.start({ terminateSeconds: 0.01 }, () => undefined, 'RUN_test', { desk });
      run.running.submit({ kind: 'checkpoint', file: 'last' }, () => undefined);
      run.ticks(1);
      expect([made, run.running.isOver]).to.deep.equal([isMade ? ['last'] : [], true]);
    }
  });

  it('makes one that waits behind slow requests in its last frame, too, for as long', async () => {
    for (const [millis, isMade] of [
      [49, true],
      [50, false],
    ] as const) {
      const made: string[] = [];
      const build = (sim: Sim) => {
        sim.function('slow', () => {
          run.nowMillis += millis;
        });
      };
      const desk = deskFor(made, () => true);
      const run: TestRun = await TestRun.start({ terminateSeconds: 0.01 }, build, 'RUN_test', { desk });
      for (let count = 0; count < 3; count++)
        run.running.submit({ kind: 'call', name: 'slow', values: [] }, () => undefined);
      run.running.submit({ kind: 'checkpoint', file: 'last' }, () => undefined);
      // The first is carried out before the frame.
      run.ticks(1);
      expect([made, run.running.isOver]).to.deep.equal([isMade ? ['last'] : [], true]);
    }
  });
});
