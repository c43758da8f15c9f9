// A signal is a wish to stop once; whatever comes after it ends the process.
import { expect } from 'chai';
import { stopBySignal } from './stop-by-signal.js';

describe('a command that has something to finish', () => {
  const counts = (): number[] => [process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')];

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    it(`stops at ${signal}, and ends at once at the next signal of either kind`, () => {
      const before = counts();
      const stop = stopBySignal();
      expect(counts()).to.deep.equal(before.map((count) => count + 1));
      process.listeners(signal).at(-1)?.(signal);
      expect(stop.signal.reason).to.equal(code);
      expect(counts()).to.deep.equal(before);
    });

  it('ends at once at any signal when it has finished', () => {
    const before = counts();
    const stop = stopBySignal();
    stop.end();
    expect([counts(), stop.signal.aborted]).to.deep.equal([before, false]);
  });
});
