// Messages as Sim Control reads them.
import { expect } from 'chai';
import { Mode } from '../../frame/header.js';
import { Frame } from '../../frame/reader.js';
import type { LogLevel, Source } from '../../source/source.js';
import { headerOf } from '../../testing/aids/frames.js';
import { MemoryConnection } from '../../testing/aids/memory-connection.js';
import { encodeMessage, MessageFrontEnd } from './message-port.js';

const FACTS = {
  hostname: 'vm',
  simulation: 'ball',
  nowMillis: () => new Date(2026, 7, 1, 9, 5, 3).getTime() + 123.4567,
};
const HEAD = '2026/08/01,09:05:03.123456|vm|ball|T 0|1.500000| ';

/** A source of frames, and those who follow it. */
function frames() {
  const listeners = new Set<(frame: Frame) => unknown>();
  const onFrame: Source['onFrame'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { listeners, source: { frame: new Frame(0, headerOf()), onFrame } };
}

const encoded = (level: LogLevel, text: string): string =>
  Buffer.from(encodeMessage({ level, text, timeSeconds: 1.5 }, FACTS)).toString('latin1');

describe('a message for Sim Control', () => {
  const levels = [
    ['normal', '  0', '00'],
    ['informational', '  1', '32'],
    ['warning', '  2', '33'],
    ['error', '  3', '31'],
    ['debug', ' 10', '36'],
  ] as const;
  for (const [level, number, colour] of levels) {
    it(`has Trick's header, level ${number} and colour ${colour} when it is ${level}`, () => {
      expect(encoded(level, 'ready')).to.equal(`|L ${number}|${HEAD}\x1b[${colour}mready\n\x1b[00m`);
    });
  }

  it('is ISO-8859-1, with a ? for what that does not have', () => {
    expect(encoded('normal', '20 °C, 中, 🚀, ě')).to.equal(`|L   0|${HEAD}\x1b[00m20 \xb0C, ?, ?, ?\n\x1b[00m`);
  });

  it('keeps the newline of its text, and has one when its text has none', () => {
    expect(encoded('normal', 'one\n')).to.equal(encoded('normal', 'one'));
  });

  it('takes no escapes from its text', () => {
    expect(encoded('normal', 'a\x1b[31mb\x9bc\r\nd')).to.equal(`|L   0|${HEAD}\x1b[00ma?[31mb?c?\nd\n\x1b[00m`);
  });
});

describe('the message port', () => {
  it('tells everybody who has connected, from then on', () => {
    const port = new MessageFrontEnd(FACTS);
    const [early, late] = [new MemoryConnection(), new MemoryConnection()];
    port.accept(early);
    port.say({ level: 'normal', text: 'one', timeSeconds: 1 });
    port.accept(late);
    port.say({ level: 'normal', text: 'two', timeSeconds: 1 });
    expect(early.written).to.have.length(2);
    expect(late.written).to.have.length(1);
    expect(late.written[0]?.toString('latin1')).to.include('two');
  });

  it('drops messages for a reader that does not read, whole', () => {
    const port = new MessageFrontEnd(FACTS);
    const reader = new MemoryConnection();
    port.accept(reader);
    reader.pendingBytes = 2 ** 30;
    port.say({ level: 'normal', text: 'lost', timeSeconds: 1 });
    reader.pendingBytes = 0;
    port.say({ level: 'normal', text: 'read', timeSeconds: 1 });
    expect(reader.written).to.have.length(1);
    expect(reader.written[0]?.toString('latin1')).to.include('read');
  });

  it('tells readers when the simulation freezes and when it goes on', () => {
    const { listeners, source } = frames();
    const port = new MessageFrontEnd({ ...FACTS, source });
    const reader = new MemoryConnection();
    port.accept(reader);
    for (const mode of [Mode.run, Mode.freeze, Mode.freeze, Mode.run])
      for (const listener of listeners) listener(new Frame(0, headerOf({ mode, timeTics: 18_140_000 })));
    expect(reader.written.map((bytes) => bytes.toString('latin1').split('| ')[1])).to.deep.equal([
      '\x1b[32mFreeze ON. Simulation time holding at 18.140000 seconds.\n\x1b[00m',
      '\x1b[32mFreeze OFF.\n\x1b[00m',
    ]);
    reader.leave();
    expect(listeners.size).to.equal(0);
  });

  it('forgets a reader that has left', () => {
    const port = new MessageFrontEnd(FACTS);
    const reader = new MemoryConnection();
    port.accept(reader);
    reader.leave();
    port.say({ level: 'normal', text: 'nobody hears', timeSeconds: 1 });
    expect(reader.written).to.deep.equal([]);
  });
});
