// Two commands that make the same study.
import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { Study } from './messages.js';
import { Rivals } from './rivals.js';

describe('commands that make the same study', () => {
  const commands = () => {
    const bus = new EventEmitter();
    return (asked: string, seconds: number, id = 'a') => {
      const study = { id, asked, seconds } as Study;
      const announce = (told: Study): void => void bus.emit('told', told);
      const hearStudies = (heard: (told: Study) => void): (() => void) => {
        const hear = (told: Study): void => void (told.asked !== asked && heard(told));
        bus.on('told', hear);
        return () => bus.off('told', hear);
      };
      return new Rivals({ announce, hearStudies }, () => study);
    };
  };
  const { signal } = new AbortController();

  it('leave it to the one that began first', async () => {
    const begin = commands();
    const [elder, younger, other] = [begin('z', 100), begin('y', 0), begin('x', 0, 'b')];
    const refused = await younger.none(signal).catch((error: Error) => error.message);
    expect(refused).to.match(/^another command makes the same study at the moment/);
    await Promise.all([elder.none(signal), other.none(signal)]);
    expect([elder, younger, other].map(({ found }) => found)).to.deep.equal([false, true, false]);
  });

  it('leave it to one of those that begin together', async () => {
    const begin = commands();
    const both = [begin('z', 0.2), begin('y', 0)];
    const ended = await Promise.allSettled(both.map((rivals) => rivals.none(signal)));
    expect(ended.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
  });
});
