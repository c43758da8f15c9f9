// Messages as Sim Control reads them.
import { expect } from 'chai';
import { Mode } from '../../../model/frame/header.js';
import { Frame } from '../../../model/frame/reader.js';
import { DEFAULT_BOUNDS } from '../../../serving/scheduling/holdings.js';
import { SessionRegistry } from '../../../serving/session/registry.js';
import type { LogLevel, Source } from '../../../source/source.js';
import { headerOf } from '../../../testing/aids/frames.js';
import { TestBall } from '../../../testing/aids/http-ball.js';
import { turn } from '../../../testing/aids/http-exchange.js';
import { ManualClock } from '../../../testing/aids/manual-clock.js';
import { MemoryConnection } from '../../../testing/aids/memory-connection.js';
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

/** What every port has, and its own clock. */
const parts = (bounds = DEFAULT_BOUNDS) => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const log = (_level: LogLevel, text: string): unknown => lines.push(text);
  return { registry: new SessionRegistry(new TestBall(), clock, undefined, bounds), clock, lines, log };
};

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

  it('has no line inside that begins as a message does', () => {
    const lines = encoded('normal', `one\n|L   3|${HEAD}the server is closing\n\ntwo`).split('\n');
    expect(lines.filter((line) => line.startsWith('|'))).to.have.length(1);
    expect(lines[1]).to.match(/^ \|L {3}3\|.*closing$/);
  });
});

describe('the message port', () => {
  it('tells everybody who has connected, from then on', () => {
    const port = new MessageFrontEnd(parts(), FACTS);
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
    const port = new MessageFrontEnd(parts(), FACTS);
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
    const port = new MessageFrontEnd(parts(), { ...FACTS, source });
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
    const port = new MessageFrontEnd(parts(), FACTS);
    const reader = new MemoryConnection();
    port.accept(reader);
    reader.leave();
    port.say({ level: 'normal', text: 'nobody hears', timeSeconds: 1 });
    expect(reader.written).to.deep.equal([]);
  });

  it('tells readers in their turns, each in order, and none who has left', async () => {
    const own = parts();
    const port = new MessageFrontEnd(own, FACTS);
    const readers = Array.from({ length: 50 }, () => new MemoryConnection());
    for (const reader of readers) {
      port.accept(reader);
      const { write } = reader;
      // Each write takes a millisecond.
      reader.write = (message) => {
        own.clock.advance(1);
        return write.call(reader, message);
      };
    }
    const told = () => readers.filter(({ written }) => written.length > 0).length;
    port.say({ level: 'normal', text: 'one', timeSeconds: 1 });
    expect(told()).to.be.within(1, 5);
    port.say({ level: 'normal', text: 'two', timeSeconds: 1 });
    readers[49]?.leave();
    while (readers.slice(0, 49).some(({ written }) => written.length < 2)) await turn();
    const texts = readers.map(({ written }) => written.map((bytes) => /(one|two)/.exec(bytes.toString())?.[1]).join());
    expect(texts.slice(0, 49).every((text) => text === 'one,two')).to.equal(true);
    expect(texts[49]).to.equal('');
  });

  it('tells readers the last messages before it closes', () => {
    const port = new MessageFrontEnd(parts(), FACTS);
    const connection = new MemoryConnection();
    port.accept(connection);
    port.say({ level: 'normal', text: 'the end', timeSeconds: 1.5 });
    port.close();
    expect(connection.written.map(String)).to.deep.equal([encoded('normal', 'the end')]);
  });

  it('counts what a reader has not taken, and lets one go that takes nothing for long', async () => {
    const own = parts();
    const { ledger } = own.registry;
    const port = new MessageFrontEnd(own, FACTS);
    const [stuck, other] = [new MemoryConnection('tcp', '10.0.0.1:1'), new MemoryConnection('tcp', '10.0.0.2:1')];
    stuck.isStuck = true;
    port.accept(stuck);
    port.accept(other);
    const text = 'x'.repeat(4000);
    for (let k = 0; k < 300; k++) port.say({ level: 'normal', text, timeSeconds: 1 });
    while (other.written.length < 300) await turn();
    expect(stuck.pendingBytes).to.be.within(1_000_000, 1_100_000);
    expect(stuck.pendingBytes - ledger.held('unreadBytes')).to.be.within(0, 70_000);
    const readers = () => ledger.figures.get('messageReaders');
    expect(readers()?.held).to.equal(2);
    expect(readers()?.refusals)
      .to.equal(300 - stuck.written.length)
      .and.be.above(0);
    own.clock.advance(60_000);
    expect([stuck.isClosed, other.isClosed]).to.deep.equal([true, false]);
    expect(own.lines.join()).to.match(/^the reader of messages at 10\.0\.0\.1:1 was let go: /);
    expect([ledger.held('unreadBytes'), readers()?.held]).to.deep.equal([0, 1]);
    expect(other.written).to.have.length(300);
  });

  it('leaves messages out for a reader that may not have more unread', () => {
    const own = parts({ ...DEFAULT_BOUNDS, unreadBytes: { each: 100_000, all: 1_000_000 } });
    const port = new MessageFrontEnd(own, FACTS);
    const stuck = new MemoryConnection();
    stuck.isStuck = true;
    port.accept(stuck);
    const text = 'x'.repeat(4000);
    for (let k = 0; k < 100; k++) port.say({ level: 'normal', text, timeSeconds: 1 });
    expect(stuck.pendingBytes).to.be.within(100_000, 175_000);
    stuck.read();
    port.say({ level: 'normal', text: 'read', timeSeconds: 1 });
    expect(stuck.written.at(-1)?.toString()).to.include('read');
    expect(own.registry.ledger.held('unreadBytes')).to.equal(0);
  });
});
