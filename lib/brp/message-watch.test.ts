// Messages of the simulation for a slow observer.
import { expect } from 'chai';
import { settled, TestBrp } from '../testing/aids/brp-server.js';

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
});
