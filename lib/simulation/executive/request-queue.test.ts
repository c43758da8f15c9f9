// How long requests may delay a frame.
import { expect } from 'chai';
import { Mode } from '../../model/frame/header.js';
import type { Controlled } from './apply.js';
import { Holds } from './holds.js';
import type { Request } from './request.js';
import { type Outcome, RequestQueue, SLICE_MILLIS } from './request-queue.js';

describe('the queue of requests', () => {
  it('shows in steps what is long to show, beside other requests', () => {
    let millis = 0;
    let steps = 0;
    const long = function* () {
      for (; steps < 10; steps++) {
        millis += 0.5;
        yield;
      }
    };
    const executive = { mode: Mode.run };
    const running = { nowMillis: () => millis, shows: { long }, executive } as unknown as Controlled;
    let frames = 0;
    const queue = new RequestQueue(running, () => frames++);
    const outcomes: Record<string, Outcome> = {};
    for (const name of ['shown', 'refused'])
      queue.add({ kind: 'show', overlay: name === 'shown' ? 'long' : 'none', value: 1 }, (outcome) => {
        outcomes[name] = outcome;
      });
    for (let turn = 1; turn <= 2; turn++) {
      expect(queue.apply(() => frames)).to.equal(SLICE_MILLIS);
      expect(outcomes).to.deep.equal({ refused: { error: 'nothing here shows "none"' } });
      expect([steps, frames]).to.deep.equal([4 * turn - 1, 0]);
    }
    queue.apply(() => frames);
    expect(outcomes.shown).to.deep.equal({ frame: 1 });
    expect(queue.isEmpty).to.equal(true);
  });

  it('keeps its order while the state is made ready to be copied, but lets ticks know what they wait for', () => {
    const done: string[] = [];
    let isPrepared = false;
    const desk = {
      prepare: () => isPrepared,
      memoryFor: () => {
        done.push('copied');
        throw new Error('that is all');
      },
    };
    const state = {
      arena: { usedBytes: 100, touch: () => true },
      pullMirrors: () => undefined,
      allocations: { all: [] },
    };
    const running = {
      ...{
        nowMillis: () => 0,
        executive: { mode: Mode.run, clockSeconds: 0, timeSeconds: 0 },
        desk,
        state,
        catalog: {},
      },
      recording: { owns: () => false },
      clientFiles: { beginningsOf: () => [] },
      frameLog: { owns: () => false },
      holds: { hold: () => done.push('hold'), has: () => false },
      shows: {
        one: () => {
          done.push('shown');
          return [].values();
        },
      },
    };
    const queue = new RequestQueue(running as unknown as Controlled, () => undefined);
    const respond = () => undefined;
    queue.add({ kind: 'checkpoint', file: 'x' }, respond);
    queue.add({ kind: 'show', overlay: 'one', value: 1 }, respond);
    queue.add({ kind: 'control', control: { action: 'hold', id: 1, atTics: 5, isClients: false } }, respond);
    queue.apply(() => 0);
    expect(done).to.deep.equal(['hold']);
    expect(queue.isIdle).to.equal(false);
    isPrepared = true;
    queue.apply(() => 0);
    expect(done).to.deep.equal(['hold', 'copied', 'shown']);
    expect(queue.isIdle).to.equal(true);
  });

  it('keeps the end of a hold, and one that moves it, behind a copy that the held tick waits for', () => {
    let isPrepared = false;
    const holds = new Holds({
      stands: () => undefined,
      gaveUp: () => undefined,
      goesOnWithoutClients: () => undefined,
    });
    const desk = {
      prepare: () => isPrepared,
      memoryFor: () => {
        throw new Error('that is all');
      },
    };
    const state = {
      arena: { usedBytes: 100, touch: () => true },
      pullMirrors: () => undefined,
      allocations: { all: [] },
    };
    const owner = { owns: () => false };
    const running = {
      ...{ nowMillis: () => 0, executive: { mode: Mode.run, clockSeconds: 0, timeSeconds: 0 }, desk, state },
      ...{ holds, catalog: {}, recording: owner, frameLog: owner, clientFiles: { beginningsOf: () => [] } },
    };
    const queue = new RequestQueue(running as unknown as Controlled, () => undefined);
    const ask = (request: Request) => queue.add(request, () => undefined);
    const isHeld = (timeTics: number) => holds.isDue(timeTics);
    for (const id of [0, 1]) ask({ kind: 'control', control: { action: 'hold', id, atTics: 5 } });
    queue.apply(() => 0);
    ask({ kind: 'checkpoint', file: 'x' });
    ask({ kind: 'control', control: { action: 'hold', id: 0, atTics: 9 } });
    ask({ kind: 'control', control: { action: 'let-go', id: 1 } });
    ask({ kind: 'control', control: { action: 'hold', id: 2, atTics: 4 } });
    queue.apply(() => 0);
    expect([isHeld(3), isHeld(4)]).to.deep.equal([false, true]);
    holds.letGo(2);
    expect(isHeld(5)).to.equal(true);
    isPrepared = true;
    queue.apply(() => 0);
    expect([isHeld(5), isHeld(9)]).to.deep.equal([false, true]);
  });

  describe('of who asks for a frame only', () => {
    const setUp = (frameBytes: number, dueMillis = 10, holds = { isDue: () => false }, isCalled = false) => {
      const executive = { mode: Mode.run, isHeld: false, timeTics: 0, copies: { frameBytes } };
      const pacer = { isEnabled: true, dueMillis: () => dueMillis };
      const running = { nowMillis: () => 0, executive, pacer, holds, isCalled, shows: { none: function* () {} } };
      let frames = 0;
      const queue = new RequestQueue(running as unknown as Controlled, () => frames++);
      const outcomes: Outcome[] = [];
      const look = () => queue.add({ kind: 'look' }, (outcome) => outcomes.push(outcome));
      const show = () => queue.add({ kind: 'show', overlay: 'none', value: 1 }, (outcome) => outcomes.push(outcome));
      const apply = () => {
        queue.apply(() => frames);
        return [frames, outcomes.length];
      };
      return { queue, outcomes, look, show, apply };
    };

    it('answers with the next frame when frames carry much and one comes soon', () => {
      const { queue, outcomes, look, show, apply } = setUp(2 ** 21);
      look();
      look();
      expect(apply()).to.deep.equal([0, 0]);
      queue.published(7);
      expect(outcomes).to.deep.equal([{ frame: 7 }, { frame: 7 }]);
      queue.published(8);
      expect(outcomes).to.have.length(2);
      // Others wait for a frame that shows what was done, which is for all.
      look();
      show();
      expect(apply()).to.deep.equal([1, 4]);
    });

    it('answers with a frame of its own when a hold comes, for which the next tick would wait', () => {
      const holds = { isDue: () => false };
      const { queue, look, apply } = setUp(2 ** 21, 10, holds);
      look();
      expect(apply()).to.deep.equal([0, 0]);
      holds.isDue = () => true;
      queue.add({ kind: 'look' }, () => undefined);
      expect(apply()).to.deep.equal([1, 1]);
    });

    it('answers with a frame of its own when a program calls the frames, which may call none', () => {
      const { look, apply } = setUp(2 ** 21, 10, { isDue: () => false }, true);
      look();
      expect(apply()).to.deep.equal([1, 1]);
    });

    it('answers with a frame of its own when frames carry little, or the next tick is not soon', () => {
      for (const { look, apply } of [setUp(2 ** 19), setUp(2 ** 21, 30), setUp(2 ** 21, 10, { isDue: () => true })]) {
        look();
        expect(apply()).to.deep.equal([1, 1]);
      }
    });
  });
});
