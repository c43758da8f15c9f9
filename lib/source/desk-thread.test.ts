// The thread for checkpoints: what it takes on, and the memory of its copies.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double } from '../model/state/declare.js';
import { State } from '../model/state/state.js';
import { type DeskOutcome, DiskQuota, modelOf } from '../simulation/executive/desk.js';
import { DeskThread } from './desk-thread.js';

const DESK = new URL('../run/serve/desk-worker.js', import.meta.url);

describe('checkpoints on a thread', () => {
  let directory: string;
  let desk: DeskThread;
  const state = new State();
  state.addObject('o').component('x', double(1000), new Array(1000).fill(1 / 3));
  const model = modelOf(state);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-desk-'));
    desk = deskWith(DESK);
  });
  afterEach(async () => {
    await desk.close();
    rmSync(directory, { recursive: true });
  });

  /** The clock stands still, so that no telling is cut short: nobody collects here. */
  function deskWith(entry: URL, arrived = (): void => undefined, nowMillis = () => 0): DeskThread {
    const { limitBytes, words } = new DiskQuota(2 ** 30);
    const start = { runDirectory: directory, quota: { limitBytes, words }, wake: undefined };
    return new DeskThread(entry, start, arrived, nowMillis);
  }

  const save = (file: string): Promise<DeskOutcome> => {
    const bytes = desk.memoryFor(model.usedBytes);
    state.arena.memory.bytes.copy(bytes, 0, 0, model.usedBytes);
    return new Promise((resolve) => desk.submit({ kind: 'save', file, model, bytes }, resolve));
  };

  it('use the memory of an earlier copy again', async () => {
    expect((await save('first')).kind).to.equal('saved');
    const used = state.arena.memory.bytes.subarray(0, model.usedBytes);
    expect(desk.memoryFor(model.usedBytes).subarray(0, model.usedBytes).equals(used)).to.equal(true);
  });

  it('are refused before the state is copied when 24 wait', async () => {
    const waiting = Array.from({ length: 24 }, (_, index) => save(`file${index}`));
    expect(() => desk.memoryFor(model.usedBytes)).to.throw(
      '24 checkpoints are being written or read already; ask again later',
    );
    for (const { kind } of await Promise.all(waiting)) expect(kind).to.equal('saved');
  });

  it('have their thread started, and then their memory used, before the state is copied', () => {
    const { usedBytes } = model;
    expect(desk.prepare(usedBytes, undefined, () => true)).to.equal(false);
    expect(desk.prepare(usedBytes, undefined, () => false)).to.equal(true);
  });

  it('keep their thread and the memory while that is made ready, however long it takes', async () => {
    let millis = 0;
    const slow = deskWith(
      DESK,
      () => undefined,
      () => millis,
    );
    // Each slice begins, and is over after one piece of the memory.
    const slice = (): boolean => {
      millis += 6000;
      slow.collect();
      let looks = 0;
      return slow.prepare(1_000_000, undefined, () => looks++ > 0);
    };
    const slices = Array.from({ length: 20 }, slice);
    expect(slices.at(-1)).to.equal(true);
    await slow.close();
  });

  describe('whose thread fails', () => {
    const BROKEN = new URL('data:text/javascript,throw new Error("broken")');
    let broken: DeskThread;
    let failed = (): void => undefined;
    beforeEach(() => {
      broken = deskWith(BROKEN, () => failed());
    });
    afterEach(() => broken.close());

    const failure = () =>
      new Promise<void>((resolve) => {
        failed = resolve;
      });
    /** Makes one piece ready. */
    const piece = (bytes: number): boolean => {
      let looks = 0;
      return broken.prepare(bytes, undefined, () => looks++ > 0);
    };

    it('keep no memory', async () => {
      expect(broken.prepare(1_000_000, undefined, () => false)).to.equal(true);
      await failure();
      expect(piece(1_000_000)).to.equal(false);
      await failure();
    });

    it('are answered with what it has done before, and those that come then by the next thread', async () => {
      // It answers its first task, and fails before this thread looks.
      const answersOnce = `import { workerData } from 'node:worker_threads';
        const { port } = workerData;
        port.on('message', ({ task }) => {
          if (!task) return;
          port.postMessage({ outcome: { kind: 'refused', error: 'the answer to ' + task.file } });
          throw new Error('broken');
        });`;
      const files: string[] = [];
      const { limitBytes, words } = new DiskQuota(2 ** 30);
      const start = { runDirectory: directory, quota: { limitBytes, words }, wake: undefined };
      // A clock that stands lets each task be told at once, because nobody collects here.
      const entry = new URL(`data:text/javascript,${encodeURIComponent(answersOnce)}`);
      const once = new DeskThread(entry, start, undefined, () => 0);
      const ask = (file: string): Promise<unknown> => {
        const bytes = once.memoryFor(model.usedBytes);
        return new Promise((resolve) =>
          once.submit({ kind: 'save', file, model, bytes }, (outcome) => {
            files.push(file);
            resolve(outcome);
          }),
        );
      };
      const answers = [await Promise.all([ask('first'), ask('second')]), [await ask('third')]].flat();
      expect(answers).to.deep.equal([
        { kind: 'refused', error: 'the answer to first' },
        { kind: 'refused', error: 'the thread for checkpoints failed: broken' },
        { kind: 'refused', error: 'the answer to third' },
      ]);
      expect(files).to.deep.equal(['first', 'second', 'third']);
      await once.close();
    });

    it('go on with the memory that is being made ready', async () => {
      const ready: boolean[] = [];
      while (ready.length < 3) {
        ready.push(piece(150_000));
        await failure();
      }
      expect(ready).to.deep.equal([false, false, true]);
    });
  });

  it('that will be refused have no memory made ready', async () => {
    const waiting = Array.from({ length: 24 }, (_, index) => save(`file${index}`));
    expect(desk.prepare(2 ** 30, undefined, () => true)).to.equal(true);
    await Promise.all(waiting);
  });

  it('tell their thread about many objects in pieces, for a millisecond between two frames', async () => {
    for (let k = 0; k < 3000; k++) state.addObject(`many${k}`);
    // Each look at the clock takes half a millisecond.
    let millis = 0;
    const slow = deskWith(
      DESK,
      () => undefined,
      () => (millis += 0.5),
    );
    const many = modelOf(state);
    const outcome = new Promise<DeskOutcome>((resolve) => {
      const bytes = slow.memoryFor(many.usedBytes);
      slow.submit({ kind: 'save', file: 'many', model: many, bytes }, resolve);
    });
    let turns = 0;
    for (; slow.isBehind; turns++) slow.collect();
    expect(turns).to.be.within(4, 20);
    expect((await outcome).kind).to.equal('saved');
    expect(readFileSync(join(directory, 'many'), 'utf8')).to.include('many2999.id = 3001;');
    // What is known is not told again.
    const again = new Promise<DeskOutcome>((resolve) => {
      const bytes = slow.memoryFor(many.usedBytes);
      slow.submit({ kind: 'save', file: 'many', model: many, bytes }, resolve);
    });
    expect(slow.isBehind).to.equal(false);
    expect((await again).kind).to.equal('saved');
    await slow.close();
  });

  it('are answered once each when the thread closes meanwhile', async () => {
    const answers: string[] = [];
    const all = ['one', '../outside', 'three'].map(async (file) => answers.push(`${file} ${(await save(file)).kind}`));
    await desk.close();
    await Promise.all(all);
    expect(answers).to.deep.equal(['one saved', '../outside refused', 'three saved']);
  });
});
