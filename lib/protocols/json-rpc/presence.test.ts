import { expect } from 'chai';
import { Presence } from './presence.js';

describe('the presence of a client', () => {
  it('ends once, and tells all who ask for it', () => {
    const presence = new Presence();
    let told = '';
    presence.onEnd(() => (told += 'a'));
    presence.onEnd(() => (told += 'b'));
    expect([presence.isOver, told]).to.deep.equal([false, '']);
    presence.end();
    presence.end();
    expect([presence.isOver, told]).to.deep.equal([true, 'ab']);
  });

  it('does not tell who has asked to be forgotten', () => {
    const presence = new Presence();
    let told = '';
    const forget = presence.onEnd(() => (told += 'a'));
    presence.onEnd(() => (told += 'b'));
    forget();
    presence.end();
    expect(told).to.equal('b');
  });

  it('tells at once when it is over', () => {
    const presence = new Presence();
    presence.end();
    let told = '';
    presence.onEnd(() => (told += 'a'))();
    expect(told).to.equal('a');
  });

  it('forgets a listener that another one takes away while they are told', () => {
    const presence = new Presence();
    let told = '';
    const forgets: (() => void)[] = [];
    presence.onEnd(() => {
      told += 'a';
      for (const forget of forgets) forget();
    });
    forgets.push(presence.onEnd(() => (told += 'b')));
    presence.end();
    expect(told).to.equal('a');
  });

  it('tells in turns, and those who ask meanwhile at once', async () => {
    const presence = new Presence();
    const told: number[] = [];
    for (let k = 0; k < 1000; k++) presence.onEnd(() => void told.push(k));
    const turns: (() => void)[] = [];
    presence.end(() => new Promise((resolve) => turns.push(resolve)));
    const next = async () => {
      turns.shift()?.();
      await new Promise(setImmediate);
    };
    expect(presence.isOver).to.equal(true);
    expect(told).to.have.length.within(1, 100);
    const before = told.length;
    presence.onEnd(() => void told.push(-1));
    expect(told.splice(before)).to.deep.equal([-1]);
    await next();
    expect(told).to.have.length.within(before + 1, before + 100);
    while (turns.length > 0) await next();
    expect(told).to.deep.equal(Array.from({ length: 1000 }, (_, k) => k));
  });

  it('tells all, whatever one of them throws, which is thrown later', async () => {
    const presence = new Presence();
    let told = '';
    presence.onEnd(() => {
      throw new Error('a defect');
    });
    presence.onEnd(() => (told += 'b'));
    const thrown = uncaught();
    presence.end();
    expect(told).to.equal('b');
    expect(String(await thrown)).to.equal('Error: a defect');
  });
});

/** The next error that nobody catches; the test's own listener for them stands aside. */
function uncaught(): Promise<unknown> {
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  return new Promise((resolve) => {
    process.once('uncaughtException', (error) => {
      for (const other of others) process.on('uncaughtException', other);
      resolve(error);
    });
  });
}
