// When a large state is copied for a checkpoint: never shortly before a frame.
import { expect } from 'chai';
import { Mode } from '../../model/frame/header.js';
import { Holds } from './holds.js';
import { StateCopy } from './state-copy.js';

const LARGE_BYTES = 25_000_000;
const never = () => false;

describe('a copy of the state', () => {
  const setUp = (usedBytes: number, others: object = {}) => {
    const executive = { mode: Mode.run as number, isHeld: false, timeTics: 0 };
    const running = {
      nowMillis: () => 0,
      executive,
      state: { arena: { usedBytes, touch: () => true } },
      desk: { prepare: () => true },
      pacer: { isEnabled: true, dueMillis: () => 4 },
      holds: { isDue: () => false },
      ...others,
    };
    return { executive, running, copy: new StateCopy(running as never, undefined) };
  };

  it('that takes long waits for the next frame, which it would delay', () => {
    const { executive, copy } = setUp(LARGE_BYTES);
    expect([copy.prepare(never), copy.waitsForFrame]).to.deep.equal([false, true]);
    expect([copy.prepare(never), copy.waitsForFrame]).to.deep.equal([false, true]);
    executive.timeTics += 10;
    // Also when there is not enough time after it.
    expect([copy.prepare(never), copy.waitsForFrame]).to.deep.equal([true, false]);
  });

  it('that is made in time or is short is made at once', () => {
    expect(setUp(LARGE_BYTES, { pacer: { isEnabled: true, dueMillis: () => 6 } }).copy.prepare(never)).to.equal(true);
    expect(setUp(1_000_000, { pacer: { isEnabled: true, dueMillis: () => 0.1 } }).copy.prepare(never)).to.equal(true);
  });

  it('is made at once when no frame comes: not paced, in a freeze, before a tick that waits for a read, when a program calls the frames', () => {
    expect(setUp(LARGE_BYTES, { isCalled: true }).copy.prepare(never)).to.equal(true);
    expect(setUp(LARGE_BYTES, { pacer: { isEnabled: false, dueMillis: () => 0 } }).copy.prepare(never)).to.equal(true);
    expect(setUp(LARGE_BYTES, { holds: { isDue: () => true } }).copy.prepare(never)).to.equal(true);
    const { executive, copy } = setUp(LARGE_BYTES);
    executive.mode = Mode.freeze;
    expect(copy.prepare(never)).to.equal(true);
  });

  it('waits for the next frame although a later tick waits for a read', () => {
    const holds = new Holds({
      stands: () => undefined,
      gaveUp: () => undefined,
      goesOnWithoutClients: () => undefined,
    });
    const { executive, copy } = setUp(LARGE_BYTES, { holds });
    holds.hold({ id: 1, atTics: 20, isClients: true }, 0, () => undefined);
    expect([copy.prepare(never), copy.waitsForFrame]).to.deep.equal([false, true]);
    executive.timeTics = 20;
    expect(setUp(LARGE_BYTES, { holds, executive }).copy.prepare(never)).to.equal(true);
  });

  it('waits for its memory first, and for no frame meanwhile', () => {
    let isReady = false;
    const { copy } = setUp(LARGE_BYTES, { desk: { prepare: () => isReady } });
    expect([copy.prepare(never), copy.waitsForFrame]).to.deep.equal([false, false]);
    isReady = true;
    expect([copy.prepare(never), copy.waitsForFrame]).to.deep.equal([false, true]);
  });
});
