// Messages of the simulation for a slow observer.
import { expect } from 'chai';
import { DEFAULT_BOUNDS } from '../../serving/scheduling/holdings.js';
import { settled, TestBrp } from '../../testing/aids/brp-server.js';

describe('a slow observer of messages', () => {
  it('has the latest in one event, and those that it does not get are counted, and no others', async () => {
    const brp = await TestBrp.start();
    const stream = await brp.watch('world.observe+watch', { event: 'varwire::SimMessage' });
    stream.isStalled = true;
    Object.defineProperty(stream, 'pendingBytes', { get: () => (stream.isStalled ? 2 ** 20 : 0) });
    for (let number = 0; number < 104; number++) {
      await brp.call('server/shout', ['message', `${number}`]);
      await settled();
    }
    const dropped = () => brp.registry.traffic.get('brp')?.droppedMessages;
    const before = stream.data.flatMap(({ result }) => result).length;
    stream.isStalled = false;
    stream.drain();
    await settled();
    const texts = stream.data.flatMap(({ result }) => result as { text: string }[]).map(({ text }) => text);
    expect(texts.at(-1)).to.equal('message 103');
    expect(texts).to.have.length(before + 100);
    expect(dropped()).to.equal(104 - texts.length);
    brp.close();
  });

  it('hears the next message after a long event, when others have read theirs', async () => {
    const bounds = { ...DEFAULT_BOUNDS, unreadBytes: { each: 1_000_000, all: 1_000_000 } };
    const brp = await TestBrp.start({ bounds });
    const stream = await brp.watch('world.observe+watch', { event: 'varwire::SimMessage' });
    const shout = async (text: string): Promise<void> => {
      await brp.call('server/shout', [text]);
      await settled();
    };
    const heard = (): string[] =>
      stream.data.flatMap(({ result }) => result as { text: string }[]).map(({ text }) => text);
    stream.isStalled = true;
    Object.defineProperty(stream, 'pendingBytes', { get: () => (stream.isStalled ? 2 ** 20 : 0) });
    for (let number = 0; number < 50; number++) await shout(`${number}${'x'.repeat(3000)}`);
    stream.isStalled = false;
    stream.drain();
    await settled();
    expect(heard()).to.have.lengthOf(50);
    // Each may have half of what is left.
    const others = [450_000, 250_000, 140_000].map((bytes, index) => {
      const other = brp.registry.ledger.open(`10.0.${index}.1:5`);
      other.take('unreadBytes', bytes);
      return other;
    });
    await shout('held');
    expect(heard()).to.have.lengthOf(50);
    for (const other of others) other.close();
    await shout('next');
    expect(heard().slice(50)).to.deep.equal(['held', 'next']);
    brp.close();
  });
});
